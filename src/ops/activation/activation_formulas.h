// Formulas of activation functions that operators of their own and recurrent layers have.
#pragma once

#include "ops/formula.h"

namespace broadloom::formulas {

inline Formula relu(const Formula& x) { return max(x, 0); }
inline Formula leaky_relu(const Formula& x, double alpha) { return select(x < 0, x * alpha, x); }
inline Formula elu(const Formula& x, double alpha) { return select(x < 0, x.apply(Operation::expm1) * alpha, x); }
inline Formula between_0_and_1(const Formula& x) { return max(min(x, 1), 0); }
inline Formula hard_sigmoid(const Formula& x, double alpha, double beta) { return between_0_and_1(x * alpha + beta); }
inline Formula softsign(const Formula& x) { return x / (x.apply(Operation::absolute) + 1); }

}  // namespace broadloom::formulas
