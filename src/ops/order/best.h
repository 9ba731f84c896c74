// Indices of the best elements.
#pragma once

#include "ops/row_tiles.h"

namespace broadloom {

// The best element along an axis. A NaN is better than all numbers, as in NumPy.
struct Best {
  bool is_least = false;
  bool is_last = false;  // of several equal ones
};

inline constexpr Kernels find_best_kernels =
    loops(Operation::equal, Operation::logical_not, Operation::bit_or, Operation::minimum, Operation::maximum) |
    folds(Operation::minimum, Operation::maximum);

// Writes the indices of the best elements along the middle one of three axes, whose size is at least 1, to a dense tensor.
Status find_best(Tensor& to, const Tensor& input, const Dims& dims, Best best);

}  // namespace broadloom
