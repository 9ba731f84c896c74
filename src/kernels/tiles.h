// Products of packed operands, tile by tile.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace broadloom {

// The most panels that a tile has.
inline constexpr std::size_t tile_panels = 4;

// Rows of the first operand, whose summed elements follow each other, `pitch` bytes apart.
struct Rows {
  const std::byte* from;
  std::ptrdiff_t pitch;
  std::size_t count;
};

// Panels of the second operand: bytes from one to the next, and from a row of one to the next.
struct Panels {
  const std::byte* from;
  std::ptrdiff_t pitch;
  std::ptrdiff_t step;
  std::size_t columns;
};

// Part of the result.
struct Target {
  std::byte* to;
  std::size_t pitch;
  bool adds;  // to what is there
};

// Writes the sums of `depth` products, tile_depth at most.
using WriteBlock = void (*)(Target target, const Rows& a, const Panels& b, std::size_t depth);

// For operands of a type that is computed in.
WriteBlock write_block_of(Dtype dtype);

}  // namespace broadloom
