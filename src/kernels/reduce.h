// Reductions: many elements become one.
#pragma once

#include <cstddef>

#include "core/layout.h"
#include "kernels/loops.h"

namespace broadloom {

// How elements are combined, and the functions of elements before and of results after. Types with fractions have all of it;
// integers have no exponentials, roots and logarithms.
struct Reduction {
  enum class Before : std::uint8_t { nothing, absolute, square, exp };
  // log_and_shift: the shift is added to the logarithm; elements that are to be shifted by an infinity are not shifted.
  enum class After : std::uint8_t { nothing, mean, square_root, log, log_and_shift };

  Operation operation;  // add, multiply, minimum or maximum
  Before before = Before::nothing;
  After after = After::nothing;
  // One element for each result, in the type that is computed in, is subtracted from elements before all else. It may lie where
  // that result will.
  const std::byte* shifts = nullptr;
  bool keeps_accumulate_type = false;  // results are not rounded to `dtype`
};

// Writes one element of `dtype` to `to` for each that `kept` finds, in row-major order: what the operation makes of the
// elements that `reduced` finds from there on. Both layouts count from `from`, and have strides of 1 and more on axes of more
// than one element. Without elements to reduce, it is what changes no operand: 0, 1, and the largest and the smallest value
// (infinities of floating-point types, true and false); and what is done to that after.
//
// float16 and bfloat16 are accumulated in float32. Partial results are combined as in a tree of 32 branches or more at each
// node, so that the error of a sum grows with the number of levels, not of elements.
void reduce(const Reduction& reduction, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept,
            const Layout& reduced);

}  // namespace broadloom
