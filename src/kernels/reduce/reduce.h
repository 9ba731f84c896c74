// Reductions: many elements become one.
#pragma once

#include <cstddef>

#include "core/layout.h"
#include "core/status.h"
#include "kernels/base/uses.h"

namespace broadloom {

// The operation, a function of elements before it and one of results after it. Floating-point types support all of them;
// integers do not support exponentials, roots and logarithms.
struct Reduction {
  enum class Before : std::uint8_t { nothing, absolute, square, exp };
  // log_and_shift: the shift is added to the logarithm; elements that are to be shifted by an infinity are not shifted.
  enum class After : std::uint8_t { nothing, mean, square_root, log, log_and_shift };

  Operation operation;  // add, multiply, minimum or maximum
  Before before = Before::nothing;
  After after = After::nothing;
  // For each result, one element in the accumulate type, which is subtracted from elements first. It may lie where
  // the result is written.
  const std::byte* shifts = nullptr;
  bool keeps_accumulate_type = false;  // results are not rounded to `dtype`
  bool is_wide = false;                // elements of int32 and uint32 are combined, and results written, as int64
};

// The kernels of a reduction, in the type of its elements.
constexpr Kernels kernels_of(const Reduction& reduction) {
  Kernels result = folds(reduction.operation) | loops(reduction.operation);
  switch (reduction.before) {
    case Reduction::Before::nothing: break;
    case Reduction::Before::absolute: result = result | loops(Operation::absolute); break;
    case Reduction::Before::square: result = result | loops(Operation::multiply); break;
    case Reduction::Before::exp: result = result | loops(Operation::exp, Operation::subtract); break;
  }
  switch (reduction.after) {
    case Reduction::After::nothing: break;
    case Reduction::After::mean: result = result | loops(Operation::divide); break;
    case Reduction::After::square_root: result = result | loops(Operation::square_root); break;
    case Reduction::After::log: result = result | loops(Operation::log); break;
    case Reduction::After::log_and_shift: result = result | loops(Operation::log, Operation::add); break;
  }
  return result;
}

// Writes a result of `dtype` to `to` for each element of `kept`, in row-major order: the reduction of the
// elements of `reduced` from there on. Both layouts start at `from`, and have strides of at least 1 on axes of more
// than one element. Without elements to reduce, the result is the neutral element, to which the last function is applied: 0, 1,
// the largest or the smallest value (an infinity for floating-point types, true or false for bools).
//
// float16 and bfloat16 are accumulated in float32. Partial results are combined as in a tree of 32 branches or more at each
// node, so that the error of a sum grows with the number of levels, not of elements.
Status reduce(const Reduction& reduction, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept,
              const Layout& reduced);

}  // namespace broadloom
