#include "kernels/elementwise/quarter_turns.h"

#include "kernels/base/twofold.h"

namespace broadloom {
namespace {

using V = Lanes<double>;

// A word of zeros, and then the digits of 2 / pi.
constexpr std::uint64_t digits[] = {0,
                                    0xa2f9836e4e441529,
                                    0xfc2757d1f534ddc0,
                                    0xdb6295993c439041,
                                    0xfe5163abdebbc561,
                                    0xb7246e3a424dd2e0,
                                    0x06492eea09d1921c,
                                    0xfe1deb1cb129a73e,
                                    0xe88235f52ebb4484,
                                    0xe99c7026b45f7e41,
                                    0x3991d639835339f4,
                                    0x9c845f8bbdf9283b,
                                    0x1ff897ffde05980f,
                                    0xef2f118b5a0a6d1f,
                                    0x6d367ecf27cb09b7,
                                    0x4f463f669e5fea2d,
                                    0x7527bac7ebe5f17b,
                                    0x3d0739f78a5292ea,
                                    0x6bfb5fb11f8d5d08,
                                    0x56033046fc7b6bab};

struct Turns {
  double high;  // of a quarter turn, from -1/2 to 1/2
  double low;
  std::uint64_t quarters;
};

// A large number is an integer times a power of two. Only the last two bits before the point of its product with 2 / pi count,
// and the bits after the point. So the product is taken modulo 4, with 192 digits; the first has the weight 2. (M. Payne and R.
// Hanek, "Radian reduction for trigonometric functions", 1983.) No double comes nearer than 2^-62 to a multiple of pi / 2.
Turns turns_of(double x) {
  __extension__ using Product = unsigned __int128;
  std::uint64_t pattern;
  std::memcpy(&pattern, &x, sizeof x);
  const std::uint64_t integer = (pattern & ((std::uint64_t{1} << 52U) - 1)) | (std::uint64_t{1} << 52U);
  const auto exponent = static_cast<unsigned>(pattern >> 52U & 0x7ffU);
  const unsigned position = exponent - (FormatOf<double>::bias + 52) + 62;
  const auto word = [&](unsigned number) {
    const std::uint64_t* from = digits + position / 64 + number;
    const unsigned shift = position % 64;
    return from[0] << shift | (from[1] >> 1U) >> (63 - shift);
  };
  const Product last = Product{integer} * word(2);
  const Product middle = Product{integer} * word(1) + static_cast<std::uint64_t>(last >> 64U);
  const std::uint64_t first = integer * word(0) + static_cast<std::uint64_t>(middle >> 64U);
  const auto second = static_cast<std::uint64_t>(middle);
  const std::uint64_t fraction = first << 2U | second >> 62U;
  // Seen as signed, a fraction of half a quarter turn or more is what is missing to the next one.
  const std::uint64_t quarters = (first >> 62U) + (fraction >> 63U);
  const auto top = static_cast<std::int64_t>(fraction & ~std::uint64_t{0x7ff});
  const double rest = static_cast<double>(fraction & 0x7ffU) + static_cast<double>(second << 2U) * 0x1p-64;
  return {static_cast<double>(top) * 0x1p-64, rest * 0x1p-64, quarters};
}

}  // namespace

Angle reduce(const V& x) {
  using namespace quarter_turns;
  const V shifted = x * two_over_pi + FormatOf<double>::shift;
  const V count = shifted - FormatOf<double>::shift;
  const Twofold<V> difference = exact_sum(x - count * first, -(count * second));
  const Twofold<V> rest = exact_sum(difference.high, difference.low - count * third);
  Angle angle{rest.high, rest.low, bits(shifted)};
  const auto is_usual = magnitude(x) < large_angle;
  if (!any(~is_usual)) return angle;
  for (std::size_t i = 0; i < lanes_of<double>; ++i) {
    if (is_usual[i]) continue;
    const double size = x[i] < 0 ? -x[i] : x[i];
    if (!(size < infinity<double>)) {
      angle.high[i] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const Turns turns = turns_of(size);
    const auto [high, low] = exact_sum(turns.high, turns.low);
    const auto [product, product_low] = exact_product(high, half_pi);
    const auto [radians, radians_low] = exact_sum(product, product_low + (high * half_pi_low + low * half_pi));
    const bool is_negative = x[i] < 0;
    angle.high[i] = is_negative ? -radians : radians;
    angle.low[i] = is_negative ? -radians_low : radians_low;
    angle.quarters[i] = is_negative ? 0 - turns.quarters : turns.quarters;
  }
  return angle;
}

}  // namespace broadloom
