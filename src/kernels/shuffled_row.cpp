#include "kernels/shuffled_row.h"

#include <algorithm>

#include "kernels/copy.h"

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
    parts_[number].at = item * item_size;
    if (!plan_part(parts_[number], offsets.subspan(item, items_in_part), item_size)) return false;
  }
  return true;
}

bool ShuffledRow::plan_part(Part& part, std::span<const std::ptrdiff_t> offsets, std::size_t item_size) {
  const auto farthest = static_cast<std::ptrdiff_t>(vector_bytes - item_size);
  const std::ptrdiff_t first = *std::min_element(offsets.begin(), offsets.end());
  std::ptrdiff_t second = PTRDIFF_MAX;
  for (const std::ptrdiff_t offset : offsets) {
    if (offset - first > farthest) second = std::min(second, offset);
  }
  // Items are written eight bytes wide, in their order: what is too much is overwritten by the next.
  constexpr std::uint64_t consecutive = 0x0706050403020100;
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t from_elsewhere = ~std::uint64_t{0};
  std::byte lanes[2][vector_bytes + sizeof ones]{};
  bool is_copy = true;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const bool from_first = offsets[i] - first <= farthest;
    const std::ptrdiff_t lane = offsets[i] - (from_first ? first : second);
    if (lane > farthest) return false;
    const std::uint64_t item = consecutive + ones * static_cast<std::uint64_t>(lane);
    std::memcpy(lanes[0] + i * item_size, from_first ? &item : &from_elsewhere, sizeof item);
    std::memcpy(lanes[1] + i * item_size, from_first ? &from_elsewhere : &item, sizeof item);
    is_copy = is_copy && offsets[i] - first == static_cast<std::ptrdiff_t>(i * item_size);
  }
  const bool is_one = second == PTRDIFF_MAX;
  part.first = {first, load(lanes[0])};
  part.second = {is_one ? first : second, load(lanes[1])};
  part.kind = is_copy ? Kind::copy : is_one ? Kind::one : Kind::two;
  reach_ = std::max(reach_, part.second.offset + static_cast<std::ptrdiff_t>(vector_bytes));
  return true;
}

void ShuffledRow::write(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                        const std::byte* end) const {
  const auto source = [&](std::size_t row) { return from + step * static_cast<std::ptrdiff_t>(row); };
  // The rows that may load whole vectors: all but the last ones; walking backwards, all or none.
  std::size_t free_rows = step > 0 || end - from >= reach_ ? rows : 0;
  while (free_rows > 0 && end - source(free_rows - 1) < reach_) --free_rows;
  // Part by part, over as many rows as stay in the cache: twice as fast as row by row.
  const std::size_t at_once = 2 * cached_block / bytes_;
  for (std::size_t done = 0; done < rows;) {
    const bool is_free = done < free_rows;
    const std::size_t count = std::min(at_once, (is_free ? free_rows : rows) - done);
    for (const Part& part : parts()) {
      write_part(part, to + done * bytes_, source(done), step, count, is_free ? nullptr : end);
    }
    done += count;
  }
}

void ShuffledRow::write_part(const Part& part, std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                             const std::byte* end) const {
  switch (part.kind) {
    case Kind::copy: return write_part<Kind::copy>(part, to, from, step, rows, end);
    case Kind::one: return write_part<Kind::one>(part, to, from, step, rows, end);
    case Kind::two: return write_part<Kind::two>(part, to, from, step, rows, end);
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
