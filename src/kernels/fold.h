// Reduces many elements of float or double in registers, as fast as memory is read.
#pragma once

#include <cstddef>

#include "kernels/loops.h"

namespace broadloom {

struct Fold {
  // The most elements of a row: so many go through 8 vectors in 32 steps for float and 64 for double.
  static constexpr std::size_t most = 1024;

  // Writes to `to` what `count` elements, at least one, come to. `shift` is one element.
  using Row = void (*)(std::byte* to, const std::byte* from, const std::byte* shift, std::size_t count);
  Row row = nullptr;
  // The same for the squares of what is left of the elements after the shift, of a sum alone.
  Row squares = nullptr;

  // Combines each of `count` elements at `to` with those at the same place of `rows` rows, which lie `step` bytes apart.
  void (*columns)(std::byte* to, const std::byte* from, std::size_t step, std::size_t rows, std::size_t count) = nullptr;
};

// For add, minimum and maximum of float32 and float64; nothing for others.
Fold fold_of(Operation operation, Dtype dtype);

}  // namespace broadloom
