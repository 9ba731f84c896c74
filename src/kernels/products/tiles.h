// Products of packed operands, tile by tile.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace broadloom {

// The most panels that a tile has.
inline constexpr std::size_t tile_panels = 4;

// Rows of the first operand. The summed elements of a row are `taps` runs that lie anywhere: run t of row i begins `offset`
// bytes after at[t * distance + i].
struct Rows {
  const std::byte* const* at;
  std::size_t count;
  std::size_t taps = 1;
  std::size_t distance = 0;
  std::ptrdiff_t offset = 0;

  Rows from(std::size_t row) const { return {at + row, count - row, taps, distance, offset}; }
};

// The time of products, for Watch::check: eight take about a nanosecond.
inline double steps_of_products(std::size_t rows, std::size_t columns, std::size_t sums) {
  return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(sums) / 8;
}

// Panels of the second operand: bytes from one to the next, and from a row of one to the next. They have a row for each summed
// element: all elements of the first tap, then of the next one. Panels of strips (kernels/products/panels.h) have another
// distance from each second one to the next.
struct Panels {
  const std::byte* from;
  std::ptrdiff_t pitch;
  std::ptrdiff_t step;
  std::size_t columns;
  std::ptrdiff_t strip_pitch = 2 * pitch;

  const std::byte* at(std::size_t panel) const {
    return from + static_cast<std::ptrdiff_t>(panel / 2) * strip_pitch + static_cast<std::ptrdiff_t>(panel % 2) * pitch;
  }
};

// Part of the result.
struct Target {
  std::byte* to;
  std::size_t pitch;
  bool adds;  // to what is there
  // The sums begin with these numbers instead of 0, one for each column. They are followed by a tile's width of others.
  const std::byte* bias = nullptr;

  Target at(std::size_t row, std::size_t bytes) const {
    return {to + row * pitch + bytes, pitch, adds, bias == nullptr ? nullptr : bias + bytes};
  }
};

// Writes sums of products: of `depth` for each tap.
using WriteBlock = void (*)(Target target, const Rows& a, const Panels& b, std::size_t depth);

// For operands of a type that is computed in.
WriteBlock write_block_of(Dtype dtype);

// For packed pairs (kernels/products/pairs.h): sums are of 32 bits, and `depth` counts pairs.
void write_pairs(Target target, const Rows& a, const Panels& b, std::size_t depth);

}  // namespace broadloom
