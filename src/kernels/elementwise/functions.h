// Mathematical functions: loops over elements of float and of double, for the table in loops.cpp.
//
// Results in float are within 2 ulp of the correctly rounded ones, for all elements; those in double within a few ulp
// (tests/kernels/elementwise/functions_test.cpp has the numbers). Special values follow C99's Annex F. A result does not depend
// on the neighbours of its element.
#pragma once

#include "kernels/base/loop.h"

namespace broadloom {

struct MathFunction {
  InnerLoop of_float;
  InnerLoop of_double;
};

namespace functions {

extern const MathFunction exp;
extern const MathFunction expm1;  // exp(x) - 1
extern const MathFunction log;
extern const MathFunction log1p;     // log(1 + x)
extern const MathFunction sigmoid;   // 1 / (1 + exp(-x))
extern const MathFunction softplus;  // log(1 + exp(x))
extern const MathFunction sinh;
extern const MathFunction cosh;
extern const MathFunction tanh;
extern const MathFunction asinh;
extern const MathFunction acosh;
extern const MathFunction atanh;
extern const MathFunction sin;
extern const MathFunction cos;
extern const MathFunction tan;
extern const MathFunction asin;
extern const MathFunction acos;
extern const MathFunction atan;
extern const MathFunction erf;
extern const MathFunction normal_distribution;  // erfc(-x / sqrt(2)) / 2
extern const MathFunction pow;                  // of two operands

}  // namespace functions
}  // namespace broadloom
