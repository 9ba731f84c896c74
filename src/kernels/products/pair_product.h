// Products of matrices of integers of 8 bits, exact in int32: sums wrap around.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "kernels/products/pairs.h"
#include "kernels/products/panels.h"

namespace broadloom {

// A product made ready for sizes and for the layout of its operands' elements. A product takes the time of rows * columns *
// sums multiplications. The first operand is read once, and the panels of the second one once for each block of rows.
struct PairProduct {
  std::size_t rows;
  std::size_t columns;
  std::size_t sums;

  // The second operand, packed.
  Count packed_bytes() const;
  void pack(std::byte* to, const Matrix& b, Dtype dtype) const;
  // Writes its elements as they were, `column_step` and `sum_step` bytes apart.
  void unpack(std::byte* to, std::size_t column_step, std::size_t sum_step, const std::byte* packed, Dtype dtype) const;

  // The most rows that are multiplied at a time: with a panel, they stay in the first-level cache.
  static constexpr std::size_t most_rows = 16;
  std::size_t block_rows() const { return rows < most_rows ? rows : most_rows; }
  // The memory that run() needs, aligned to 16.
  Count workspace_bytes() const;

  // A zero point for each row; and one for each column, less offset_of the type, or nullptr if all are 0.
  struct Zeros {
    const std::int32_t* rows;
    const std::int32_t* columns;
  };
  // Writes the product of `count` rows densely: at most block_rows().
  void run(std::byte* to, const Matrix& a, Dtype dtype, const std::byte* packed, const Zeros& zeros, std::size_t count,
           std::byte* workspace) const;
  // Writes the product of `count` rows that are widened less their zero points.
  void multiply(std::byte* to, const std::byte* const* rows_at, const std::byte* packed, const std::int32_t* column_zeros,
                std::size_t count) const;
};

}  // namespace broadloom
