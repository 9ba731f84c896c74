// Reduces many elements of float or double in registers, as fast as memory is read, in one order wherever they lie.
//
// Sums and products of floats depend on the order in which elements are combined. Here it follows from their number alone. The
// elements of a block (`most` of them at most) go in turn to the lanes of 8 vectors; the vectors are combined as a tree, and
// then the lanes. More elements than that are halved first (`first_half`).
#pragma once

#include <cstddef>

#include "kernels/elementwise/loops.h"

namespace broadloom {

struct Fold {
  // The most elements of a block: 8 vectors take 32 steps for float and 64 for double.
  static constexpr std::size_t most = 1024;

  // Writes the reduction of `count` contiguous elements to `to`: 1 to `most`. `shift` is one element.
  using Row = void (*)(std::byte* to, const std::byte* from, const std::byte* shift, std::size_t count);
  Row row = nullptr;
  // Writes the reduction of the squares of the elements after subtracting the shift. Only for sums.
  Row squares = nullptr;

  // Writes `count` reductions at once: their elements lie side by side in each of `rows` rows. Row i begins at
  // from + offsets[i].
  void (*columns)(std::byte* to, const std::byte* from, const std::ptrdiff_t* offsets, std::size_t rows,
                  std::size_t count) = nullptr;
  // Does what `columns` does, for rows that lie one after the other, `most_dense` bytes each at most.
  void (*dense_columns)(std::byte* to, const std::byte* from, std::size_t rows, std::size_t count) = nullptr;
  static constexpr std::size_t most_dense = 512;
  // The number of lanes: elements i and i + lanes go to the same lane.
  std::size_t lanes = 0;

  // Combines one element with another.
  void (*combine)(std::byte* to, const std::byte* with) = nullptr;

  // Where more elements than `most` are halved: so that both parts begin with the first lane.
  static std::size_t first_half(std::size_t count) { return (count / 2 + 31) / 32 * 32; }
  // The reduction of any number of contiguous elements, at least 1.
  void all(std::byte* to, const std::byte* from, std::size_t count) const;

  Operation operation;
  std::size_t item_size = 0;
};

// Combines the element at `to` with `count` contiguous integers, in any order. For sums of 32 and 64 bits, and extremes of 8
// and 32; nullptr for others.
using IntegerRow = void (*)(std::byte* to, const std::byte* from, std::size_t count);
IntegerRow integer_row_of(Operation operation, Dtype dtype);

// For add, multiply, minimum and maximum of float32 and float64; empty for others.
Fold fold_of(Operation operation, Dtype dtype);

}  // namespace broadloom
