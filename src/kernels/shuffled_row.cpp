#include "kernels/shuffled_row.h"

#include <algorithm>

namespace broadloom {
namespace {

// A vector of which the bytes from `end` on are not loaded.
Vector load_before(const std::byte* from, const std::byte* end) {
  std::byte bytes[vector_bytes]{};
  std::memcpy(bytes, from, std::min(vector_bytes, static_cast<std::size_t>(end - from)));
  return load(bytes);
}

}  // namespace

bool ShuffledRow::plan(std::span<const std::ptrdiff_t> offsets, std::size_t item_size) {
  const std::size_t items_in_part = vector_bytes / item_size;
  bytes_ = offsets.size() * item_size;
  part_count_ = (bytes_ + vector_bytes - 1) / vector_bytes;
  reach_ = 0;
  for (std::size_t number = 0; number < part_count_; ++number) {
    // The last part overlaps the one before.
    const std::size_t item = std::min(number * items_in_part, offsets.size() - items_in_part);
    const std::span<const std::ptrdiff_t> sources = offsets.subspan(item, items_in_part);
    const std::ptrdiff_t first = *std::min_element(sources.begin(), sources.end());
    std::byte lanes[vector_bytes];
    bool is_copy = true;
    for (std::size_t i = 0; i < vector_bytes; ++i) {
      const auto lane = static_cast<std::size_t>(sources[i / item_size] - first) + i % item_size;
      if (lane >= vector_bytes) return false;
      lanes[i] = static_cast<std::byte>(lane);
      is_copy = is_copy && lane == i;
    }
    parts_[number] = {item * item_size, first, load(lanes), is_copy};
    reach_ = std::max(reach_, first + static_cast<std::ptrdiff_t>(vector_bytes));
  }
  return true;
}

void ShuffledRow::write(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                        const std::byte* end) const {
  // Part by part, over as many rows as stay in the cache: twice as fast as row by row.
  const std::size_t at_once = 2 * most_bytes / bytes_;
  while (rows > 0) {
    const std::size_t count = std::min(rows, at_once);
    const std::byte* last = from + step * static_cast<std::ptrdiff_t>(count - 1);
    const bool near_end = end - std::max(from, last) < reach_;
    for (const Part& part : parts()) {
      if (part.is_copy) {
        write_part<true>(part, to, from, step, count, near_end ? end : nullptr);
      } else {
        write_part<false>(part, to, from, step, count, near_end ? end : nullptr);
      }
    }
    to += count * bytes_;
    from += step * static_cast<std::ptrdiff_t>(count);
    rows -= count;
  }
}

template <bool is_copy>
void ShuffledRow::write_part(const Part& part, std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                             const std::byte* end) const {
  const auto arranged = [lanes = part.lanes](Vector vector) { return is_copy ? vector : shuffle(vector, lanes); };
  const std::size_t bytes = bytes_;
  to += part.at;
  from += part.from;
  std::size_t done = 0;
  if (end == nullptr) {
    for (; done + 4 <= rows; done += 4) {
      const Vector first = load(from);
      const Vector second = load(from + step);
      const Vector third = load(from + 2 * step);
      const Vector fourth = load(from + 3 * step);
      store(to, arranged(first));
      store(to + bytes, arranged(second));
      store(to + 2 * bytes, arranged(third));
      store(to + 3 * bytes, arranged(fourth));
      to += 4 * bytes;
      from += 4 * step;
    }
  }
  for (; done < rows; ++done) {
    store(to, arranged(end == nullptr ? load(from) : load_before(from, end)));
    to += bytes;
    from += step;
  }
}

}  // namespace broadloom
