// Where the best elements are.
#pragma once

#include "ops/row_tiles.h"

namespace broadloom {

// Which of the elements along an axis is wanted. A NaN is better than all numbers, as in NumPy.
struct Best {
  bool is_least = false;
  bool is_last = false;  // of several that are as good
};

// Writes the numbers of the best elements along the middle one of three axes, which has one at least, to a dense tensor.
Status find_best(Tensor& to, const Tensor& input, const Dims& dims, Best best);

}  // namespace broadloom
