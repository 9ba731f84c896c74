// The exponential function, the logarithm, and activations that are made of them.
#include "kernels/base/lane_math.h"
#include "kernels/elementwise/functions.h"

namespace broadloom {

Lanes<double> exp(const Lanes<double>& x, const Lanes<double>& low, double more) { return exponential(x, low, more); }
Lanes<double> half_expm1(const Lanes<double>& x) { return inline_half_expm1(x); }
Lanes<double> log(const Lanes<double>& x, const Lanes<double>& correction) { return logarithm(x, correction); }

namespace {

struct Exp {
  template <class V>
  static V of(const V& x) {
    return broadloom::exp(x);
  }
};
struct Expm1 {
  template <class V>
  static V of(const V& x) {
    return itself_near_zero(x, half_expm1(x) * 2);
  }
};
struct Log {
  template <class V>
  static V of(const V& x) {
    return broadloom::log(x);
  }
};
struct Log1p {
  template <class V>
  static V of(const V& x) {
    return itself_near_zero(x, broadloom::log1p(x));
  }
};

// exp(-|x|), which never overflows.
template <class V>
[[gnu::always_inline]] inline V decay(const V& x) {
  return broadloom::exp(as<V>(bits(x) | sign_bit<ItemOf<V>>));
}
struct Sigmoid {
  template <class V>
  static V of(const V& x) {
    const V e = decay(x);
    return select(x < 0, e, filled(ItemOf<V>{1})) / (e + 1);
  }
};
struct Softplus {
  static Lanes<double> of(const Lanes<double>& x) { return at_least(x, Lanes<double>{}) + broadloom::log1p(decay(x)); }
  // The logarithm is of a number between 1 and 2, which needs no separate exponent: this takes half of the time.
  static Lanes<float> of(const Lanes<float>& x) {
    constexpr float rest[] = {0.6666667461F, 0.3999887705F, 0.2861688435F, 0.214276582F, 0.2430094481F};  // "log1p float"
    const Lanes<float> e = decay(x);
    const Lanes<float> s = e / (e + 2);
    const Lanes<float> z = s * s;
    const Lanes<float> half_square = e * e * 0.5F;
    const Lanes<float> logarithm = e - (half_square - s * (half_square + z * polynomial(z, rest)));
    return at_least(x, Lanes<float>{}) + logarithm;
  }
};

}  // namespace

namespace functions {

constinit const MathFunction exp{unary<float, Exp>, unary<double, Exp>};
constinit const MathFunction expm1{unary<float, Expm1>, unary<double, Expm1>};
constinit const MathFunction log{unary<float, Log>, unary<double, Log>};
constinit const MathFunction log1p{unary<float, Log1p>, unary<double, Log1p>};
constinit const MathFunction sigmoid{unary<float, Sigmoid>, unary<double, Sigmoid>};
constinit const MathFunction softplus{unary<float, Softplus>, unary<double, Softplus>};

}  // namespace functions
}  // namespace broadloom
