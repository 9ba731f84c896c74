// Quantised float32 products of numbers on grids, from sums of integers.
//
// A number on a grid is an integer of 9 bits times the grid's factor, rounded to float32. The sum of integer products is exact.
// The float32 sum in the order of kernels/products/matmul.h differs from it by roundings, whose sum has a bound. Where all
// numbers within the bound are quantised to one integer, float32 gives it, too: the result is settled. The others, about one in
// a hundred, are open. They are summed again in float32, in that order. So results have the bits of a product in float32 that
// is quantised afterwards, in whatever order the integers are summed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"

namespace broadloom {

// The most summed elements for which the bounds hold, and sums of integers do not wrap around.
inline constexpr std::size_t most_settled_sums = 8192;
// Factors of grids and divisors lie between it and its inverse: so no product is too small for float32's precision.
inline constexpr float least_settled_factor = 0x1p-30F;

// Integers of numbers on a grid: as int16, or, less `shift`, as the first bytes. `inverse` is 1 / factor.
void widen_grid(std::byte* to, const float* from, float inverse, std::size_t count);
void narrow_grid(std::byte* to, const float* from, float inverse, float shift, std::size_t count);

// An addition rounds by at most 2^-24 of its sum. So the roundings of a float32 product are bounded by 2^-24 times the sum of
// the magnitudes of its products, each as often as it is in a sum that is rounded. The norm of a row has its numbers weighted
// by how often; the product of the norms of a row and of a column is a bound of that sum (Cauchy and Schwarz).
float rounding_norm(const float* row, std::size_t count);
// Writes the norms of packed columns (kernels/products/pairs.h), whose integers are the elements less `zeros`: for whole
// panels.
void write_rounding_norms(float* to, const std::byte* packed, const std::int32_t* zeros, std::size_t columns, std::size_t sums);

// Packed columns on grids.
struct GridColumns {
  const std::byte* packed;
  std::size_t columns;
  std::size_t sums;
  // By column, with room for whole panels:
  const std::int32_t* zeros;
  const float* scales;
  const float* biases;  // nullptr: none
};

// Open results, in a list for each panel.
struct OpenResults {
  struct Entry {
    std::uint32_t row;
    std::uint32_t column;
    std::uint32_t next;
  };
  static constexpr std::uint32_t none = UINT32_MAX;

  Entry* entries;
  std::uint32_t* first;  // by panel, or none
  std::size_t count = 0;

  void add(std::size_t row, std::size_t column, std::size_t panel) {
    entries[count] = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column), first[panel]};
    first[panel] = static_cast<std::uint32_t>(count++);
  }
};

// How sums become results: as quantize_and_dequantize (kernels/elementwise/quantize.h) makes them of float32 sums.
struct Settling {
  // By column, with room for whole panels: the quotient of one unit of the sum, what is added to quotients, the bound of a
  // quotient's error over a row's norm, and what is added to that. Without a bias, nothing is added.
  const float* quotients;
  const float* added;
  const float* bounds;
  const float* slacks;
  float divisor;
  float least;
  float greatest;
  float factor;

  // Replaces a row of int32 sums by results. At most one entry for each column is added to those that are open.
  void run(std::byte* sums, std::size_t row, float norm, std::size_t columns, OpenResults& open) const;

  // The memory that sum_again needs, aligned to 16.
  static Count workspace_bytes(std::size_t sums);
  // Writes the open results to the rows at `to`, and forgets them. `rows` has the rows of the first operand.
  void sum_again(std::byte* to, const std::byte* const* rows, const GridColumns& columns, OpenResults& open,
                 std::byte* workspace) const;
};

}  // namespace broadloom
