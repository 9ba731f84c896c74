// Sums of products of quantised elements, as quantised elements or as numbers.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace broadloom {

// The results of rows of int32 sums, by column. To uint8 or int8: the integer nearest to the sum times the scale, ties to even,
// plus the zero point, clamped to the type. To float32: the sum times the scale, plus the bias if there is one, which has room
// for a whole vector at its end. There is at least one column.
struct Rescaling {
  Dtype to;
  const float* scales;
  const float* bias = nullptr;
  float zero = 0;

  void run(std::byte* to, const std::byte* sums, std::size_t rows, std::size_t columns) const;
};

}  // namespace broadloom
