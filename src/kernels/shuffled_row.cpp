#include "kernels/shuffled_row.h"

#include <algorithm>
#include <bit>

#include "kernels/copy.h"

namespace broadloom {
namespace {

// A vector of which the bytes from `end` on are not loaded.
Vector load_before(const std::byte* from, const std::byte* end) {
  std::byte bytes[vector_bytes]{};
  if (from < end) std::memcpy(bytes, from, std::min(vector_bytes, static_cast<std::size_t>(end - from)));
  return load(bytes);
}

constexpr std::byte from_elsewhere{0xFF};

}  // namespace

bool ShuffledRow::plan(std::span<const std::ptrdiff_t> offsets, std::size_t item_size) {
  const auto item_shift = static_cast<unsigned>(std::countr_zero(item_size));
  const std::size_t items_in_part = vector_bytes >> item_shift;
  bytes_ = offsets.size() << item_shift;
  part_count_ = (bytes_ + vector_bytes - 1) / vector_bytes;
  reach_ = 0;
  for (std::size_t number = 0; number < part_count_; ++number) {
    // The last part overlaps the one before.
    const std::size_t item = std::min(number * items_in_part, offsets.size() - items_in_part);
    parts_[number].at = item << item_shift;
    if (!plan_part(parts_[number], offsets.subspan(item, items_in_part), item_shift)) return false;
  }
  return true;
}

bool ShuffledRow::plan_part(Part& part, std::span<const std::ptrdiff_t> offsets, unsigned item_shift) {
  constexpr auto width = static_cast<std::ptrdiff_t>(vector_bytes);
  const std::ptrdiff_t item_size = std::ptrdiff_t{1} << item_shift;
  const auto within = [&](std::ptrdiff_t offset, std::ptrdiff_t start) { return offset - start <= width - item_size; };
  const std::ptrdiff_t first = *std::min_element(offsets.begin(), offsets.end());
  std::ptrdiff_t second = PTRDIFF_MAX;
  for (const std::ptrdiff_t offset : offsets) {
    if (!within(offset, first)) second = std::min(second, offset);
  }
  std::byte lanes[2][vector_bytes];
  bool is_copy = true;
  for (std::size_t i = 0; i < vector_bytes; ++i) {
    const std::ptrdiff_t item = offsets[i >> item_shift];
    const bool from_first = within(item, first);
    if (!from_first && !within(item, second)) return false;
    const std::ptrdiff_t lane = item - (from_first ? first : second) + (static_cast<std::ptrdiff_t>(i) & (item_size - 1));
    lanes[from_first ? 0 : 1][i] = static_cast<std::byte>(lane);
    lanes[from_first ? 1 : 0][i] = from_elsewhere;
    is_copy = is_copy && from_first && lane == static_cast<std::ptrdiff_t>(i);
  }
  const bool is_one = second == PTRDIFF_MAX;
  part.first = {first, load(lanes[0])};
  part.second = {is_one ? first : second, load(lanes[1])};
  part.kind = is_copy ? Kind::copy : is_one ? Kind::one : Kind::two;
  reach_ = std::max(reach_, part.second.offset + width);
  return true;
}

void ShuffledRow::write(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                        const std::byte* end) const {
  // Part by part, over as many rows as stay in the cache: twice as fast as row by row.
  const std::size_t at_once = cached_block / bytes_;
  while (rows > 0) {
    const std::size_t count = std::min(rows, at_once);
    const std::byte* last = from + step * static_cast<std::ptrdiff_t>(count - 1);
    const std::byte* careful_end = end - std::max(from, last) < reach_ ? end : nullptr;
    for (const Part& part : parts()) {
      switch (part.kind) {
        case Kind::copy: write_part<Kind::copy>(part, to, from, step, count, careful_end); break;
        case Kind::one: write_part<Kind::one>(part, to, from, step, count, careful_end); break;
        case Kind::two: write_part<Kind::two>(part, to, from, step, count, careful_end); break;
      }
    }
    to += count * bytes_;
    from += step * static_cast<std::ptrdiff_t>(count);
    rows -= count;
  }
}

template <ShuffledRow::Kind kind>
void ShuffledRow::write_part(const Part& part, std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                             const std::byte* end) const {
  const Vector lanes = part.first.lanes;
  const Vector other_lanes = part.second.lanes;
  const std::ptrdiff_t distance = part.second.offset - part.first.offset;
  const auto make = [&](const std::byte* source, auto loaded) {
    if constexpr (kind == Kind::copy) return loaded(source);
    if constexpr (kind == Kind::one) return shuffle(loaded(source), lanes);
    return both(shuffle(loaded(source), lanes), shuffle(loaded(source + distance), other_lanes));
  };
  const std::size_t bytes = bytes_;
  to += part.at;
  from += part.first.offset;
  std::size_t done = 0;
  if (end == nullptr) {
    for (; done + 4 <= rows; done += 4) {
      const Vector first = make(from, load);
      const Vector second = make(from + step, load);
      const Vector third = make(from + 2 * step, load);
      const Vector fourth = make(from + 3 * step, load);
      store(to, first);
      store(to + bytes, second);
      store(to + 2 * bytes, third);
      store(to + 3 * bytes, fourth);
      to += 4 * bytes;
      from += 4 * step;
    }
  }
  for (; done < rows; ++done) {
    store(to, make(from, [&](const std::byte* source) { return end == nullptr ? load(source) : load_before(source, end); }));
    to += bytes;
    from += step;
  }
}

}  // namespace broadloom
