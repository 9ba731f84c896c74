// Adds borders to a dense block, or removes parts of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/status.h"

namespace broadloom {

enum class PadMode : std::uint8_t { constant, reflect, edge, wrap };

// An axis of a result: the indices from `low` to below `high` are the input's from `first` on; all others are the border.
struct PaddedAxis {
  std::size_t size;
  std::size_t low;
  std::size_t high;
  std::size_t first;
  // The bytes per index, in the result and in the input. They are equal for the last axis.
  std::size_t block = 0;
  std::size_t from_block = 0;
};

// Writes a result of at least one axis and one element. A border is `value`, an item of 1, 2, 4, 8 or 16 bytes, or made by the
// mode from the inner indices. A mode needs at least one inner index, and more inner indices than a reflected border has. `to`
// and `from` must not overlap. Fails when the time of the call is over.
Status pad(std::byte* to, const std::byte* from, std::span<const PaddedAxis> axes, PadMode mode, const std::byte* value,
           std::size_t item_size);

}  // namespace broadloom
