// Reductions: many elements become one.
#pragma once

#include <cstddef>

#include "core/layout.h"
#include "kernels/loops.h"

namespace broadloom {

// Writes one element of `dtype` to `to` for each that `kept` finds, in row-major order: what the operation (add, multiply,
// minimum or maximum) makes of the elements that `reduced` finds from there on. Both layouts count from `from`, and have
// strides of 1 and more on axes of more than one element. Without elements to reduce, it is what changes no operand: 0, 1,
// and the largest and the smallest value (infinities of floating-point types, true and false).
//
// float16 and bfloat16 are accumulated in float32. Partial results are combined as in a tree of 32 branches or more at each
// node, so that the error of a sum grows with the number of levels, not of elements.
void reduce(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept, const Layout& reduced);

}  // namespace broadloom
