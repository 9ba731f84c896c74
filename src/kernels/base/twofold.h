// Numbers as unevaluated sums of two doubles, for what needs more digits than one has.
#pragma once

#include "kernels/base/lane_math.h"

namespace broadloom {

// `low` is at most half a unit in the last place of `high`, or what the caller says.
template <class V>
struct Twofold {
  V high;
  V low;
};

// Both are exact (T. Dekker, "A floating-point technique for extending the available precision", 1971, and D. Knuth).
template <class V>
Twofold<V> exact_sum(const V& a, const V& b) {
  const V sum = a + b;
  const V of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
template <class V>
Twofold<V> exact_product(const V& a, const V& b) {
  const auto halves = [](const V& x) -> Twofold<V> {
    const V large = x * 0x1.000002p27;  // 2^27 + 1
    const V high = large - (large - x);
    return {high, x - high};
  };
  const auto [a_high, a_low] = halves(a);
  const auto [b_high, b_low] = halves(b);
  const V product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

}  // namespace broadloom
