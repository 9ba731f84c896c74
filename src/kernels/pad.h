// Borders around a dense block, and parts of it left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

enum class PadMode : std::uint8_t { constant, reflect, edge, wrap };

// One axis of a result: the indices from `low` to below `high` are the input's from `first` on, all others are the border.
struct PaddedAxis {
  std::size_t size;
  std::size_t low;
  std::size_t high;
  std::size_t first;
  // Bytes of all that lies at one index, in the result and in the input. Those of the last axis are equal.
  std::size_t block = 0;
  std::size_t from_block = 0;
};

// Writes a result of at least one axis and one element. A border is `value`, an item of 1, 2, 4, 8 or 16 bytes, or else what
// the mode says of the inner indices: then there is one at least, and reflected borders are narrower than them. The places do
// not overlap.
void pad(std::byte* to, const std::byte* from, std::span<const PaddedAxis> axes, PadMode mode, const std::byte* value,
         std::size_t item_size);

}  // namespace broadloom
