// Contiguous loops over elements: one for each operation and computed type, in one table.
//
// Integers wrap around. The quotient and the remainder of a division by zero are 0, as in NumPy: no loop ever traps.
// Comparisons with NaN are false. Minimum and maximum are NaN if an operand is, and -0 is below 0. Bools are bytes
// of 0 and 1. A negative power of an integer is the quotient 1 / power, so 0 except for powers of 1 and -1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/base/loop.h"

namespace broadloom {

enum class Operation : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,     // integers: rounds to zero
  modulo,     // integers only; the sign is the divisor's
  remainder,  // the sign is the dividend's
  minimum,
  maximum,
  equal,  // these give bools
  less,
  less_or_equal,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,  // of unsigned integers; 0 where all bits are shifted out
  shift_right,
  power,   // float32, float64, int32, int64
  is_nan,  // from here on with one operand; these give bools
  is_infinite,
  is_positive_infinity,
  is_negative_infinity,
  negate,
  absolute,
  square_root,
  floor,
  ceil,
  round,  // to nearest, of two to the even one
  reciprocal,
  sign,  // -1, 0, 1 or NaN
  bit_not,
  logical_not,
  exp,  // from here on functions.h says what they are
  expm1,
  log,
  log1p,
  sigmoid,
  softplus,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  erf,
  normal_distribution,
};

inline bool gives_bools(Operation operation) {
  return (operation >= Operation::equal && operation <= Operation::less_or_equal) ||
         (operation >= Operation::is_nan && operation <= Operation::is_negative_infinity);
}

// The computation of an operation on elements of a type: in the type itself, or in a wider one, to which operands are converted
// before, and from which results are converted after. 8- and 16-bit integers have separate loops if SIMD supports them.
struct Computation {
  InnerLoop loop;
  Dtype dtype;      // of the computation; uint8 for bools
  InnerLoop load;   // nullptr if operands are not converted
  InnerLoop store;  // nullptr also if results are bools
};

// The operation must be one for numbers of this type, which is float16, bfloat16, float32, float64, bool or an integer of
// 8 bits or more. Conversions to float16 and bfloat16 round to nearest, ties to even.
Computation computation_of(Operation operation, Dtype dtype);

// A loop over elements of float16 without conversions, which gives the same; nullptr where there is none.
InnerLoop half_loop_of(Operation operation);

}  // namespace broadloom
