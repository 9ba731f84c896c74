// Powers of real numbers.
#include "kernels/base/lane_math.h"
#include "kernels/base/twofold.h"
#include "kernels/elementwise/functions.h"
#include "kernels/elementwise/wide_loop.h"

namespace broadloom {
namespace {

using V = Lanes<double>;

// The logarithm of a positive number, with 64 digits: the power has those that a product with the exponent, of up to ten
// digits before the point, leaves. With s = f / (2 + f), log(1 + f) is 2 s + 2/3 s^3 + s^5 (...); only the last is a plain
// double.
Twofold<V> long_log(const V& x) {
  constexpr double tail[] = {0x1.9999999999a07p-2, 0x1.249249247b38fp-2, 0x1.c71c71fbbc902p-3, 0x1.745cfad6865a3p-3,
                             0x1.3b1be489a5c3bp-3, 0x1.0fc5b7f68c52ep-3, 0x1.0bc326e1fac79p-3};  // "log tail"
  constexpr double third_high = 0x1.5555555555555p-1;                                            // of 2/3
  constexpr double third_low = 0x1.5555555555555p-55;
  using C = LogConstants<double>;
  const auto [exponent, fraction] = split(x);
  const Twofold<V> divisor = exact_sum(fraction, filled(2.0));
  const V s = fraction / divisor.high;
  const Twofold<V> back = exact_product(s, divisor.high);
  const V s_low = (((fraction - back.high) - back.low) - s * divisor.low) / divisor.high;
  const Twofold<V> square = exact_product(s, s);
  const V square_low = square.low + s * s_low * 2;
  const Twofold<V> cube = exact_product(square.high, s);
  const V cube_low = cube.low + (square.high * s_low + square_low * s);
  const Twofold<V> third = exact_product(cube.high, filled(third_high));
  const V third_rest = third.low + (cube.high * third_low + cube_low * third_high);
  const V rest = cube.high * square.high * polynomial(square.high, tail);
  const Twofold<V> first = exact_sum(exponent * C::ln2_high, s * 2);
  const Twofold<V> second = exact_sum(first.high, third.high);
  const V low = rest + (third_rest + (exponent * C::ln2_low + s_low * 2)) + (first.low + second.low);
  return exact_sum(second.high, low);
}

// x^y of positive finite x.
struct Precise {
  static V of(const V& x, const V& y) {
    // Larger exponents give 0, 1 or infinity as well, and their products are finite.
    const V exponent = at_least(at_most(y, filled(0x1p70)), filled(-0x1p70));
    const Twofold<V> logarithm = long_log(x);
    const Twofold<V> product = exact_product(exponent, logarithm.high);
    const V low = product.low + exponent * logarithm.low;
    return exp(product.high, select(magnitude(product.high) < 1024, low, V{}));
  }
};
// For floats and results in float, with their digits: half of the time.
struct Short {
  static V of(const V& x, const V& y) {
    constexpr double slope[] = {0x1.71547652bee6dp+1, 0x1.ec709d1250d5dp-1, 0x1.2777803a75caap-1, 0x1.a58d66e8fc00bp-2,
                                0x1.5cea83eeb05e6p-2};  // "log2 short"
    constexpr double ln2 = 0x1.62e42fefa39efp-1;
    constexpr double shift = FormatOf<double>::shift;
    const auto [exponent, fraction] = split_normal(x);
    const V s = fraction / (fraction + 2);
    const V logarithm = s * polynomial(s * s, slope) + exponent;
    // Larger results are infinite in float, and smaller ones 0.
    const V product = at_least(at_most(logarithm * y, filled(1000.0)), filled(-1000.0));
    const V whole = (product + shift) - shift;
    const V result = short_exp((product - whole) * ln2) * power_of_two(whole);
    // Squares and cubes equal products, by which Pow with a constant exponent is replaced.
    const V square = x * x;
    return select(y == 2, square, select(y == 3, square * x, result));
  }
};

template <class Core>
struct Pow {
  static V of(const V& x, const V& y) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const V m = magnitude(x);
    V result = Core::of(m, y);
    // Powers of positive finite numbers are done.
    const V most = filled(std::numeric_limits<double>::max());
    if (!any(~((x > 0) & (m <= most) & (magnitude(y) <= most)))) return result;
    // Zero and infinity have powers of their own kind.
    const auto is_zero = m == 0;
    const auto is_endless = is_zero | (m == infinity<double>);
    result = select(is_endless, select(is_zero ^ (y < 0), V{}, filled(infinity<double>)), result);
    const auto is_negative = as<Lanes<std::int64_t>>(x) < 0;
    const auto is_integer = floor(y) == y;
    const auto is_odd = is_integer & (floor(y * 0.5) * 2 != y);
    result = select(is_negative & is_odd, -result, result);
    result = select((x < 0) & ~is_endless & ~is_integer, filled(nan), result);
    result = select(nan_mask(x) | nan_mask(y), filled(nan), result);
    const auto is_one = (y == 0) | (x == 1) | ((x == -1) & (magnitude(y) == infinity<double>));
    return select(is_one, filled(1.0), result);
  }
};

}  // namespace

constinit const MathFunction functions::pow{binary<float, Wide<Pow<Short>>>, binary<double, Pow<Precise>>};

}  // namespace broadloom
