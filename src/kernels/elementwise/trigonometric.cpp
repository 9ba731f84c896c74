// Trigonometric functions and their inverses.
//
// An angle is first reduced: it becomes a number of quarter turns and a rest between -pi / 4 and pi / 4.
#include "kernels/base/lane_math.h"
#include "kernels/elementwise/functions.h"
#include "kernels/elementwise/quarter_turns.h"
#include "kernels/elementwise/wide_loop.h"

namespace broadloom {
namespace {

template <class T>
struct SineConstants;
template <>
struct SineConstants<float> {
  static constexpr float sine[] = {-0.1666665524F, 0.008332177997F, -0.000195172659F};    // "sin float"
  static constexpr float cosine[] = {0.04166664556F, -0.001388731529F, 2.443310404e-5F};  // "cos float"
};
template <>
struct SineConstants<double> {
  static constexpr double sine[] = {-0x1.5555555555549p-3, 0x1.111111110f87ep-7,   -0x1.a01a019c11fe0p-13,
                                    0x1.71de35780e420p-19, -0x1.ae5e668094ad0p-26, 0x1.5d9315d03ed87p-33};  // "sin double"
  static constexpr double cosine[] = {0x1.555555555554bp-5,   -0x1.6c16c16c14f8ep-10, 0x1.a01a019c83fc4p-16,
                                      -0x1.27e4f7ea85e7dp-22, 0x1.1ee9d7885424ap-29,  -0x1.8fa4820a58fdep-37};  // "cos double"
};

// The sine and cosine of the rest high + low.
template <class V>
struct SineAndCosine {
  V sine;
  V cosine;
};
template <class V>
SineAndCosine<V> sine_and_cosine(const V& high, const V& low = V{}) {
  using T = ItemOf<V>;
  using C = SineConstants<T>;
  const V square = high * high;
  const V half = square * T{0.5};
  const V sine = high + (high * square * polynomial(square, C::sine) + low * (1 - half));
  const V rounded = 1 - half;
  const V cosine = rounded + (((1 - rounded) - half) + (square * square * polynomial(square, C::cosine) - high * low));
  return {sine, cosine};
}

// The sine of an angle that is `quarters` quarter turns larger. `quarters` are integers.
template <class V, class Integers>
V turned(const SineAndCosine<V>& of, const Integers& quarters) {
  constexpr int width = 8 * sizeof(ItemOf<V>);
  const V result = select((quarters & 1) != 0, of.cosine, of.sine);
  return as<V>(bits(result) ^ (as<decltype(bits(result))>(quarters >> 1) << (width - 1)));
}

// The function of lanes of float by one of doubles where a lane is too large for the fast way.
template <class Op>
Lanes<float> corrected(const Lanes<float>& x, const Lanes<float>& result) {
  const auto is_usual = magnitude(x) < static_cast<float>(large_angle);
  if (!any(~is_usual)) return result;
  return select(is_usual, result, Wide<Op>::of(x));
}

// Sine (quarters = 0) and cosine (1).
template <int quarters>
struct Sine {
  static Lanes<double> of(const Lanes<double>& x) {
    const Angle angle = reduce(x);
    const auto result = turned(sine_and_cosine(angle.high, angle.low), as<Lanes<std::int64_t>>(angle.quarters) + quarters);
    return quarters == 0 ? itself_near_zero(x, result) : result;
  }
  static Lanes<float> of(const Lanes<float>& x) {
    const ShortAngle first = reduce_short(first_wide(x));
    const ShortAngle last = reduce_short(last_wide(x));
    const auto turns = as<Lanes<std::int32_t>>(first_halves<8>(as<Vector>(first.quarters), as<Vector>(last.quarters)));
    const auto result = turned(sine_and_cosine(narrow(first.rest, last.rest)), turns + quarters);
    return corrected<Sine>(x, quarters == 0 ? itself_near_zero(x, result) : result);
  }
};

struct Tan {
  static Lanes<double> of(const Lanes<double>& x) {
    const Angle angle = reduce(x);
    const auto [sine, cosine] = sine_and_cosine(angle.high, angle.low);
    const auto is_odd = (angle.quarters & 1) != 0;
    const auto result = select(is_odd, -cosine, sine) / select(is_odd, sine, cosine);
    return itself_near_zero(x, result);
  }
};

using V = Lanes<double>;

// The polynomial is for numbers between the tangents of -pi / 8 and pi / 8; others are turned to there by pi / 4 or pi / 2.
V arc_tangent(const V& x) {
  constexpr double rest[] = {-0x1.555555555553dp-2, 0x1.99999999958f9p-3, -0x1.24924922b180ap-3, 0x1.c71c70e7ca34ep-4,
                             -0x1.745cf90fce89bp-4, 0x1.3b111cbb71be3p-4, -0x1.10ebe19a1ae51p-4, 0x1.df11a31103a2fp-5,
                             -0x1.9cdd39c698414p-5, 0x1.37f009e0c9491p-5, -0x1.25a382f7cae05p-6};  // "atan double"
  constexpr double tangent = 0x1.a827999fcef32p-2;
  constexpr double quarter = 0x1.921fb54442d18p-1;
  const V m = magnitude(x);
  const auto is_turned = m > tangent;
  const auto is_large = m > 1 / tangent;
  const V base = select(is_large, filled(2 * quarter), select(is_turned, filled(quarter), V{}));
  const V above = select(is_large, filled(-1.0), select(is_turned, m - 1, m));
  const V below = select(is_large, m, select(is_turned, m + 1, filled(1.0)));
  const V t = above / below;
  const V square = t * t;
  return with_sign(base + (t + t * square * polynomial(square, rest)), x);
}

struct Atan {
  static V of(const V& x) { return itself_near_zero(x, arc_tangent(x)); }
};
struct Asin {
  static V of(const V& x) { return itself_near_zero(x, arc_tangent(x / sqrt((1 - x) * (1 + x)))); }
};
struct Acos {
  static V of(const V& x) { return arc_tangent(sqrt((1 - x) / (1 + x))) * 2; }
};

}  // namespace

namespace functions {

constinit const MathFunction sin{unary<float, Sine<0>>, unary<double, Sine<0>>};
constinit const MathFunction cos{unary<float, Sine<1>>, unary<double, Sine<1>>};
constinit const MathFunction tan{unary<float, Wide<Tan>>, unary<double, Tan>};
constinit const MathFunction asin{unary<float, Wide<Asin>>, unary<double, Asin>};
constinit const MathFunction acos{unary<float, Wide<Acos>>, unary<double, Acos>};
constinit const MathFunction atan{unary<float, Wide<Atan>>, unary<double, Atan>};

}  // namespace functions
}  // namespace broadloom
