// Places of values in one block of memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

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
    const Iterator after = remove(find(place));
    if (size > bytes) add(after, {place + bytes, size - bytes});
    return place;
  }
  void give(Count at, Count size) {
    if (size == 0) return;
    Free given{static_cast<std::uint64_t>(at.number()), static_cast<std::uint64_t>(size.number())};
    auto after = find(given.place);
    if (after != by_place_.end() && after->place == given.end()) {
      given.bytes += after->bytes;
      after = remove(after);
    }
    if (after != by_place_.begin() && std::prev(after)->end() == given.place) {
      given = {std::prev(after)->place, std::prev(after)->bytes + given.bytes};
      after = remove(std::prev(after));
    }
    add(after, given);
  }
  Count size() const { return end_; }

 private:
  struct Free {
    std::uint64_t place;
    std::uint64_t bytes;
    std::uint64_t end() const { return place + bytes; }
  };
  using Iterator = std::vector<Free>::iterator;
  // The first free place from here on.
  Iterator find(std::uint64_t place) {
    return std::lower_bound(by_place_.begin(), by_place_.end(), place,
                            [](const Free& one, std::uint64_t wanted) { return one.place < wanted; });
  }
  void add(Iterator before, Free free) {
    by_place_.insert(before, free);
    by_size_.insert({free.bytes, free.place});
  }
  Iterator remove(Iterator free) {
    by_size_.erase({free->bytes, free->place});
    return by_place_.erase(free);
  }

  std::vector<Free> by_place_;                                 // neighbours are one
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // bytes and place
  std::uint64_t end_ = 0;
};

}  // namespace broadloom
