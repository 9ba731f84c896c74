// The building blocks of real functions, over lanes of float and of double, without branches.
//
// Nothing is fused or reordered, so the natively compiled code gives the same bits as wasm. The polynomials are minimax ones
// that tools/extract/minimax.py finds and names; each approximates the remainder after exact terms.
#pragma once

#include <limits>
#include <utility>

#include "kernels/base/simd.h"

namespace broadloom {

template <class T>
struct FormatOf;
template <>
struct FormatOf<float> {
  using Bits = std::uint32_t;
  static constexpr int digits = 23;  // of the mantissa, as stored
  static constexpr int bias = 127;
  static constexpr float shift = 0x1.8p23F;  // added, it leaves integers in the low bits
};
template <>
struct FormatOf<double> {
  using Bits = std::uint64_t;
  static constexpr int digits = 52;
  static constexpr int bias = 1023;
  static constexpr double shift = 0x1.8p52;
};
template <class T>
using BitsOf = typename FormatOf<T>::Bits;
template <class V>
using ItemOf = std::remove_cvref_t<decltype(std::declval<V>()[0])>;

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr BitsOf<T> sign_bit = BitsOf<T>{1} << (8 * sizeof(T) - 1);

template <class T>
Lanes<T> filled(T value) {
  return Lanes<T>{} + value;
}

template <class V>
auto bits(const V& x) {
  return as<Lanes<BitsOf<ItemOf<V>>>>(x);
}
template <class V>
V magnitude(const V& x) {
  return as<V>(bits(x) & ~sign_bit<ItemOf<V>>);
}
// `x`, which has no sign, with the sign of `of`.
template <class V>
V with_sign(const V& x, const V& of) {
  return as<V>(bits(x) | (bits(of) & sign_bit<ItemOf<V>>));
}

// For odd functions and others that are x near zero: so the sign of 0 and the last bit of subnormals stay.
template <class V>
V itself_near_zero(const V& x, const V& result) {
  return select(magnitude(x) < std::numeric_limits<ItemOf<V>>::min(), x, result);
}

// The sum of every `step`th term from `first` on, in powers of `power`, which is x^step.
template <std::size_t first, std::size_t step, class V, class T, std::size_t count, std::size_t... i>
[[gnu::always_inline]] inline V terms(const V& power, const T (&coefficients)[count], std::index_sequence<i...> /*number*/) {
  constexpr std::size_t last = first + sizeof...(i) * step;
  V result = filled(coefficients[last]);
  ((result = result * power + coefficients[last - (i + 1) * step]), ...);
  return result;
}
// The coefficients start with the constant one. Even and odd terms of a long polynomial are summed apart: half of the steps
// that wait for each other.
template <class V, class T, std::size_t count>
[[gnu::always_inline]] inline V polynomial(const V& x, const T (&coefficients)[count]) {
  if constexpr (count < 8) {
    return terms<0, 1>(x, coefficients, std::make_index_sequence<count - 1>());
  } else {
    const V square = x * x;
    const V even = terms<0, 2>(square, coefficients, std::make_index_sequence<(count - 1) / 2>());
    return terms<1, 2>(square, coefficients, std::make_index_sequence<count / 2 - 1>()) * x + even;
  }
}

// ---- Exponential function ----

template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  static constexpr float least = -104;  // exp gives 0 there, and infinity at `most`
  static constexpr float most = 89;
  static constexpr float log2_e = 0x1.715476p0F;
  // log(2) as a sum, whose first term has room for a product with an exponent.
  static constexpr float ln2_high = 0x1.63p-1F;
  static constexpr float ln2_low = -0x1.bd0106p-13F;
  static constexpr float rest[] = {0.5F, 0.1666654348F, 0.0416662842F, 0.008366585709F, 0.001394641818F};  // "expm1 float"
};
template <>
struct ExpConstants<double> {
  static constexpr double least = -746;
  static constexpr double most = 710;
  static constexpr double log2_e = 0x1.71547652b82fep0;
  static constexpr double ln2_high = 0x1.62e42feep-1;
  static constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double rest[] = {0x1.0000000000005p-1,  0x1.555555555555cp-3,  0x1.55555555520f4p-5,  0x1.111111110e6c4p-7,
                                    0x1.6c16c17f37739p-10, 0x1.a01a01b5dc61ep-13, 0x1.a019a685ba1fap-16, 0x1.71dde9fea19eap-19,
                                    0x1.28a2aba70400ep-22, 0x1.af76b36d63c40p-26};  // "exp double"
};

// exp(x) = 2^exponent exp(rest), with a rest of at most log(2) / 2.
template <class V>
struct Reduced {
  V exponent;
  V rest;
};
template <class V>
[[gnu::always_inline]] inline Reduced<V> reduced(const V& x) {
  using T = ItemOf<V>;
  using C = ExpConstants<T>;
  const V exponent = (x * C::log2_e + FormatOf<T>::shift) - FormatOf<T>::shift;
  return {exponent, (x - exponent * C::ln2_high) - exponent * C::ln2_low};
}
// exp(r) - 1 of a rest.
template <class V>
[[gnu::always_inline]] inline V exp_less_one(const V& r) {
  return polynomial(r, ExpConstants<ItemOf<V>>::rest) * (r * r) + r;
}

// exp(r) of a rest to the digits of a float.
[[gnu::always_inline]] inline Lanes<double> short_exp(const Lanes<double>& r) {
  constexpr double coefficients[] = {0x1.fffffb9a9c87ep-2, 0x1.5554915515546p-3, 0x1.5558f13e2c2a0p-5, 0x1.1239e258a303cp-7,
                                     0x1.6a2464b82a74cp-10};  // "exp short"
  return polynomial(r, coefficients) * (r * r) + r + 1;
}

// 2^exponent. `exponent` is an integer, and the exponent of a normal number.
template <class V>
[[gnu::always_inline]] inline V power_of_two(const V& exponent) {
  using Format = FormatOf<ItemOf<V>>;
  return as<V>(bits(exponent + (Format::shift + Format::bias)) << Format::digits);
}
// x 2^exponent, where x is near 1: in two steps, since the power alone may be out of range.
template <class V>
[[gnu::always_inline]] inline V scaled(const V& x, const V& exponent) {
  using Format = FormatOf<ItemOf<V>>;
  const auto sum = bits(exponent + (Format::shift + 2 * Format::bias));
  const auto half = sum >> 1;
  return x * as<V>(half << Format::digits) * as<V>((sum - half) << Format::digits);
}

// Loops in float have their functions inside. Those in double share them.
template <class V>
[[gnu::always_inline]] inline V exponential(const V& x, const V& low, ItemOf<V> more) {
  using C = ExpConstants<ItemOf<V>>;
  // Zeros are not made by a product that underflows: of masked elements it takes processors 2.3 times as long.
  const auto is_zero = x <= C::least;
  const Reduced<V> parts = reduced(select(is_zero, V{}, at_most(x, filled(C::most + 2))));
  return select(is_zero, V{}, scaled(exp_less_one(parts.rest + low) + 1, parts.exponent + more));
}
inline Lanes<float> exp(const Lanes<float>& x) { return exponential(x, Lanes<float>{}, 0); }
// exp(x + low) 2^more, where `low` is tiny beside x, and `more` 0 or -1.
Lanes<double> exp(const Lanes<double>& x, const Lanes<double>& low = Lanes<double>{}, double more = 0);

// (exp(x) - 1) / 2, which is finite wherever exp(x) is. Subnormal x lose their last bit, and 0 its sign.
template <class V>
[[gnu::always_inline]] inline V inline_half_expm1(const V& x) {
  using C = ExpConstants<ItemOf<V>>;
  const Reduced<V> parts = reduced(at_least(at_most(x, filled(C::most)), filled(ItemOf<V>{-64})));
  const V power = power_of_two(parts.exponent - 1);
  return power * exp_less_one(parts.rest) + (power - ItemOf<V>{0.5});
}
inline Lanes<float> half_expm1(const Lanes<float>& x) { return inline_half_expm1(x); }
Lanes<double> half_expm1(const Lanes<double>& x);

// ---- Logarithm ----

template <class T>
struct LogConstants;
template <>
struct LogConstants<float> {
  static constexpr float rest[] = {0.6666677594F, 0.3997754157F, 0.2987171412F};  // "log float"
  static constexpr float ln2_high = 0x1.62e3p-1F;
  static constexpr float ln2_low = 0x1.2fefa2p-17F;
};
template <>
struct LogConstants<double> {
  static constexpr double rest[] = {0x1.5555555555592p-1, 0x1.999999997fdb2p-2, 0x1.24924941f1b12p-2, 0x1.c71c5208d9a05p-3,
                                    0x1.74663f04ff4f0p-3, 0x1.39a1b7c0d6700p-3, 0x1.2f0581df7023fp-3};  // "log double"
  static constexpr double ln2_high = ExpConstants<double>::ln2_high;
  static constexpr double ln2_low = ExpConstants<double>::ln2_low;
};

// A positive finite number as 2^exponent (1 + fraction), where 1 + fraction lies between the roots of 1/2 and 2.
template <class V>
struct Split {
  V exponent;
  V fraction;
};
template <class V>
[[gnu::always_inline]] inline Split<V> split_normal(const V& normal) {
  using T = ItemOf<V>;
  using Format = FormatOf<T>;
  constexpr auto root = std::is_same_v<T, float> ? BitsOf<T>{0x3f3504f3} : static_cast<BitsOf<T>>(0x3fe6a09e667f3bcdU);
  const auto above = bits(normal) - root;
  // The exponent's bits as the last digits of a number.
  const auto digits = (above + (BitsOf<T>{Format::bias} << Format::digits)) >> Format::digits;
  const V exponent = as<V>(digits | bits(filled(Format::shift))) - (Format::shift + Format::bias);
  const V mantissa = as<V>((above & ((BitsOf<T>{1} << Format::digits) - 1)) + root);
  return {exponent, mantissa - 1};
}
template <class V>
[[gnu::always_inline]] inline Split<V> split(const V& x) {
  using T = ItemOf<V>;
  constexpr T many = T{1} / std::numeric_limits<T>::epsilon();
  const auto is_small = x < std::numeric_limits<T>::min();
  const auto [exponent, fraction] = split_normal(select(is_small, x * many, x));
  return {exponent - select(is_small, filled(T{FormatOf<T>::digits}), V{}), fraction};
}

template <class V>
[[gnu::always_inline]] inline V logarithm(const V& x, const V& correction) {
  using T = ItemOf<V>;
  using C = LogConstants<T>;
  const auto [exponent, fraction] = split(x);
  const V s = fraction / (fraction + 2);
  const V z = s * s;
  const V half_square = fraction * fraction * T{0.5};
  const V low = s * (half_square + z * polynomial(z, C::rest)) + (exponent * C::ln2_low + correction);
  const V result = exponent * C::ln2_high + (fraction - (half_square - low));
  const auto is_usual = (x > 0) & (x < infinity<T>);
  if (!any(~is_usual)) return result;
  return select(is_usual, result,
                select(x == 0, filled(-infinity<T>), select(x > 0, x, filled(std::numeric_limits<T>::quiet_NaN()))));
}

// log(x) + correction, where the correction is tiny.
inline Lanes<float> log(const Lanes<float>& x, const Lanes<float>& correction = Lanes<float>{}) {
  return logarithm(x, correction);
}
Lanes<double> log(const Lanes<double>& x, const Lanes<double>& correction = Lanes<double>{});

// -0 loses its sign.
template <class V>
[[gnu::always_inline]] inline V log1p(const V& x) {
  const V sum = x + 1;
  // The rounding error of the sum; 0 where the sum is infinite.
  const V lost = x - (sum - 1);
  return log(sum, select(sum < infinity<ItemOf<V>>, lost / sum, V{}));
}

}  // namespace broadloom
