// Mathematical functions: loops over elements of float and of double, for the table in loops.cpp.
//
// Results in float are within 2 ulp of the correctly rounded ones, for all elements; those in double within a few ulp
// (tests/kernels/functions_test.cpp has the numbers). Special values are those of C99's Annex F. What an element becomes does
// not depend on its neighbours.
#pragma once

#include "kernels/loop.h"

namespace broadloom {

struct Function {
  Loop of_float;
  Loop of_double;
};

namespace functions {

extern const Function exp;
extern const Function expm1;  // exp(x) - 1
extern const Function log;
extern const Function log1p;     // log(1 + x)
extern const Function sigmoid;   // 1 / (1 + exp(-x))
extern const Function softplus;  // log(1 + exp(x))
extern const Function sinh;
extern const Function cosh;
extern const Function tanh;
extern const Function asinh;
extern const Function acosh;
extern const Function atanh;
extern const Function sin;
extern const Function cos;
extern const Function tan;
extern const Function asin;
extern const Function acos;
extern const Function atan;
extern const Function erf;
extern const Function normal_distribution;  // erfc(-x / sqrt(2)) / 2
extern const Function pow;                  // of two operands

}  // namespace functions
}  // namespace broadloom
