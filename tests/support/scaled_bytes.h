// Random bytes that stand for float32: each column of a matrix, or each filter, has its numbers, or all have one.
#pragma once

#include <vector>

#include "kernels/products/scaled_bytes.h"
#include "support/items.h"

namespace broadloom::test {

struct ScaledBytes {
  Dtype dtype;
  std::size_t in_column;
  bool has_zeros, is_by_column;
  std::vector<std::uint8_t> bytes;  // column after column
  std::vector<float> factors;
  std::vector<std::uint8_t> zeros;

  ScaledBytes(Random& random, std::size_t columns, std::size_t its_in_column)
      : dtype(random.one_in(2) ? Dtype::int8 : Dtype::uint8),
        in_column(its_in_column),
        has_zeros(random.one_in(2)),
        is_by_column(random.one_in(2)),
        bytes(random_items<std::uint8_t>(random, columns * in_column, 0, 255)),
        factors(random_items<float>(random, is_by_column ? columns : 1, 0.001, 0.1)),
        zeros(random_items<std::uint8_t>(random, factors.size(), 0, 255)) {}

  ByteScales scales() const {
    return {dtype, address(factors), is_by_column ? 4 : 0, has_zeros ? address(zeros) : nullptr, is_by_column ? 1 : 0};
  }
  int number(std::uint8_t byte) const { return dtype == Dtype::uint8 ? byte : static_cast<std::int8_t>(byte); }
  // As DequantizeLinear computes element `i`.
  float at(std::size_t i) const {
    const std::size_t column = is_by_column ? i / in_column : 0;
    return static_cast<float>(number(bytes[i]) - (has_zeros ? number(zeros[column]) : 0)) * factors[column];
  }
  std::vector<float> floats() const {
    std::vector<float> all;
    for (std::size_t i = 0; i < bytes.size(); ++i) all.push_back(at(i));
    return all;
  }
};

}  // namespace broadloom::test
