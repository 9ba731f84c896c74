// Places of values in one block of memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "core/count.h"

namespace broadloom {

// Finds places in a block: the smallest free one that is large enough, or a new one at the end.
class FreePlaces {
 public:
  Count take(Count wanted) {
    const auto bytes = static_cast<std::uint64_t>(wanted.number());
    const auto found = by_size_.lower_bound({bytes, 0});
    if (found == by_size_.end()) return std::exchange(end_, end_ + bytes);
    const auto [size, place] = *found;
    remove(place, size);
    if (size > bytes) add(place + bytes, size - bytes);
    return place;
  }
  void give(Count at, Count size) {
    if (size == 0) return;
    auto place = static_cast<std::uint64_t>(at.number());
    auto bytes = static_cast<std::uint64_t>(size.number());
    auto after = by_place_.lower_bound({place, 0});
    if (after != by_place_.end() && after->first == place + bytes) {
      bytes += after->second;
      after = remove(after->first, after->second);
    }
    if (after != by_place_.begin()) {
      const auto before = std::prev(after);
      if (before->first + before->second == place) {
        const auto [place_before, bytes_before] = *before;
        remove(place_before, bytes_before);
        place = place_before;
        bytes += bytes_before;
      }
    }
    add(place, bytes);
  }
  Count size() const { return end_; }

 private:
  // Free places with their sizes, ordered by place or by size.
  using Pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;
  void add(std::uint64_t place, std::uint64_t bytes) {
    by_place_.insert({place, bytes});
    by_size_.insert({bytes, place});
  }
  Pairs::iterator remove(std::uint64_t place, std::uint64_t bytes) {
    by_size_.erase({bytes, place});
    return by_place_.erase(by_place_.find({place, bytes}));
  }

  Pairs by_place_;
  Pairs by_size_;
  std::uint64_t end_ = 0;
};

}  // namespace broadloom
