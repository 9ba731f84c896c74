// The error function and the normal distribution.
#include "kernels/base/lane_math.h"
#include "kernels/elementwise/functions.h"

namespace broadloom {
namespace {

using V = Lanes<double>;

// exp(-x^2 scale), where the scale is a power of two. The rounding of the square would be multiplied by the square.
V gaussian(const V& x, double scale) {
  const V high = as<V>(bits(x) & ~std::uint64_t{0x7ffffff});
  return exp(high * high * -scale, (x - high) * (x + high) * -scale);
}

// exp(t^2) erfc(t) of t up to 28. The polynomial has the variable of M. Shepherd and J. Laframboise, "Chebyshev approximation
// of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", 1981.
V scaled_erfc(const V& t) {
  constexpr double coefficients[] = {
      0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28fp-3,  0x1.f7f5df66fd6dcp-7,   0x1.16ecefcfa54a3p-4,   -0x1.9ddb23c3e89c5p-4,
      0x1.7fee004e0fe37p-4,   -0x1.0fb06dfe54a11p-4,  0x1.3079edf6d4552p-5,   -0x1.09623882b4c2cp-6,  0x1.49c6726f1baf2p-8,
      -0x1.8d4a9c392da01p-11, -0x1.a1df161bc0f00p-13, 0x1.3be06abcd30bcp-13,  -0x1.995acf544cce2p-16, -0x1.788d9b2abb1e8p-17,
      0x1.7f3487a3dc911p-18,  0x1.3bcf51cc478a6p-22,  -0x1.bb71f53292f4dp-21, 0x1.3e75ac0f938bap-24,  0x1.d9f59cc210b83p-24,
      -0x1.2c887acaadc1fp-26, -0x1.e3e97b0506a54p-27, 0x1.ce94d367f9f7ap-30,  0x1.4a4e31d77c8c9p-30};  // "erfc double"
  return polynomial((t - 4) / (t + 4), coefficients) / (t * 2 + 1);
}

struct Erf {
  static V of(const V& x) {
    constexpr double coefficients[] = {0x1.20dd750429b6dp+0,   -0x1.812746b0379c2p-2,  0x1.ce2f21a041017p-4,
                                       -0x1.b82ce31206295p-6,  0x1.565bccfa9a438p-8,   -0x1.c02db072ed591p-11,
                                       0x1.f9a2bf738ef28p-14,  -0x1.f4ca94966200ep-17, 0x1.b9827b1932114p-20,
                                       -0x1.5c16e39f65746p-23, 0x1.d7849a7386f0ap-27,  -0x1.ace016065498fp-31};  // "erf double"
    const V m = at_most(magnitude(x), filled(6.0));
    const V result = select(m < 1, m * polynomial(m * m, coefficients), 1 - gaussian(m, 1) * scaled_erfc(m));
    return with_sign(result, x);
  }

  // 1 - erf(m) as an exponential function: precise near 0, too, since exp(x) - 1 is.
  static Lanes<float> of(const Lanes<float>& x) {
    constexpr float coefficients[] = {0.128379181F,    0.6366188526F,     0.1027844921F,    -0.01918458752F, -9.012773808e-5F,
                                      0.001585183083F, -0.0005818724749F, 0.0001016542155F, -7.281098078e-6F};  // "erf float"
    const Lanes<float> m = at_most(magnitude(x), filled(4.1F));
    const Lanes<float> exponent = m + m * polynomial(m, coefficients);
    return with_sign(Lanes<float>{} - half_expm1(-exponent) * 2, x);
  }
};

struct NormalDistribution {
  static V of(const V& x) {
    constexpr double root_of_half = 0x1.6a09e667f3bcdp-1;
    const V m = at_most(magnitude(x), filled(39.0));
    const V below = gaussian(m, 0.5) * (scaled_erfc(m * root_of_half) * 0.5);
    return select(x < 0, below, 1 - below);
  }

  // exp(-m^2 / 2) p / d, where d = m + 1, and p is near 0.486. The sums p and d lose digits, which are added to the ratio p /
  // d. For that, 1 / d is about the ratio over 0.486.
  static Lanes<float> of(const Lanes<float>& x) {
    constexpr float center = 0.4860557914F;
    constexpr float coefficients[] = {-0.1045706645F,   -0.01057057362F, 0.05991025269F,   -0.04600711539F,
                                      0.01459514908F,   0.001653802465F, -0.002440664917F, -6.089338058e-5F,
                                      0.0003517795412F, 5.772709119e-5F};  // "normal float", whose first one is the center
    using C = ExpConstants<float>;
    const Lanes<float> m = at_most(magnitude(x), filled(14.5F));
    // The square as a sum of an exact one and a small rest.
    const Lanes<float> high = as<Lanes<float>>(bits(m) & ~0xfffU);
    const Lanes<float> low = (m - high) * (m + high) * -0.5F;
    const Lanes<float> exponent = (m * m * (C::log2_e * -0.5F) + FormatOf<float>::shift) - FormatOf<float>::shift;
    const Lanes<float> rest = ((high * high * -0.5F - exponent * C::ln2_high) + low) - exponent * C::ln2_low;
    const Lanes<float> u = (m - 3) / (m + 3.5F);
    const Lanes<float> off_center = polynomial(u, coefficients) * u;
    const Lanes<float> p = off_center + center;
    const Lanes<float> d = m + 1;
    const Lanes<float> ratio = p / d;
    const Lanes<float> lost = ((off_center - (p - center)) - ratio * (m - (d - 1))) * ratio * (1 / center);
    const Lanes<float> below = scaled((ratio * exp_less_one(rest) + lost) + ratio, exponent);
    return select(x < 0, below, 1 - below);
  }
};

}  // namespace

namespace functions {

constinit const MathFunction erf{unary<float, Erf>, unary<double, Erf>};
constinit const MathFunction normal_distribution{unary<float, NormalDistribution>, unary<double, NormalDistribution>};

}  // namespace functions
}  // namespace broadloom
