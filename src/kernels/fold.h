// Reduces many elements of float or double in registers, as fast as memory is read.
#pragma once

#include <cstddef>

#include "kernels/loops.h"

namespace broadloom {

struct Fold {
  // The most elements of a row: 8 vectors take 32 steps for float and 64 for double.
  static constexpr std::size_t most = 1024;

  // Writes the reduction of `count` elements to `to`; count is at least 1. `shift` is one element.
  using Row = void (*)(std::byte* to, const std::byte* from, const std::byte* shift, std::size_t count);
  Row row = nullptr;
  // The same for the squares of the elements after subtracting the shift. Only for sums.
  Row squares = nullptr;

  // Combines each of `count` elements at `to` with those at its index in each of `rows` rows, which have a distance of `step`.
  void (*columns)(std::byte* to, const std::byte* from, std::size_t step, std::size_t rows, std::size_t count) = nullptr;
};

// For add, minimum and maximum of float32 and float64; empty for others.
Fold fold_of(Operation operation, Dtype dtype);

}  // namespace broadloom
