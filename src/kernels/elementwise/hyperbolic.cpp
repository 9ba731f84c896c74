// Hyperbolic functions and their inverses.
#include "kernels/base/lane_math.h"
#include "kernels/elementwise/functions.h"
#include "kernels/elementwise/wide_loop.h"

namespace broadloom {
namespace {

using V = Lanes<double>;

struct Sinh {
  static V of(const V& x) {
    const V m = magnitude(x);
    // exp(m) - 1 is precise for small m, half of exp(m) finite for large ones.
    const V less = half_expm1(m);
    const V half = exp(m, V{}, -1);
    const V result = select(m < 1, less + less / (less * 2 + 1), half - 0.25 / half);
    return itself_near_zero(x, with_sign(result, x));
  }
};
struct Cosh {
  static V of(const V& x) {
    const V half = exp(magnitude(x), V{}, -1);
    return half + 0.25 / half;
  }
};
struct Tanh {
  template <class Lanes>
  static Lanes of(const Lanes& x) {
    const Lanes less = half_expm1(magnitude(x) * -2);
    return with_sign((Lanes{} - less) / (less + 1), x);  // not -less, which would be -0
  }
};

// log(x + sqrt(...)) becomes log(2 x) when x is large, and its square may be infinite.
constexpr double large = 0x1p30;
// log(1 + x), or log(2 x) where x is large.
V log_of_sum(const V& x, const V& sum) {
  constexpr double ln2 = 0x1.62e42fefa39efp-1;
  const auto is_large = x > large;
  return log1p(select(is_large, x - 1, sum)) + select(is_large, filled(ln2), V{});
}
struct Asinh {
  static V of(const V& x) {
    const V m = magnitude(x);
    const V square = m * m;
    return itself_near_zero(x, with_sign(log_of_sum(m, m + square / (sqrt(square + 1) + 1)), x));
  }
};
struct Acosh {
  static V of(const V& x) {
    const V above = select(x < 1, filled(std::numeric_limits<double>::quiet_NaN()), x - 1);
    return log_of_sum(x, above + sqrt(above * (above + 2)));
  }
};
struct Atanh {
  static V of(const V& x) {
    const V m = magnitude(x);
    return itself_near_zero(x, with_sign(log1p(m * 2 / (1 - m)) * 0.5, x));
  }
};

}  // namespace

namespace functions {

constinit const MathFunction sinh{unary<float, Wide<Sinh>>, unary<double, Sinh>};
constinit const MathFunction cosh{unary<float, Wide<Cosh>>, unary<double, Cosh>};
constinit const MathFunction tanh{unary<float, Tanh>, unary<double, Tanh>};
constinit const MathFunction asinh{unary<float, Wide<Asinh>>, unary<double, Asinh>};
constinit const MathFunction acosh{unary<float, Wide<Acosh>>, unary<double, Acosh>};
constinit const MathFunction atanh{unary<float, Wide<Atanh>>, unary<double, Atanh>};

}  // namespace functions
}  // namespace broadloom
