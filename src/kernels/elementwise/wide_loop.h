// Functions of float that are computed in double, and the same functions of double.
#pragma once

#include "kernels/base/loop.h"

namespace broadloom {

// The last two floats as doubles, and four floats from two pairs of doubles.
inline Lanes<double> first_wide(const Lanes<float>& x) { return as<Lanes<double>>(promote_first(as<Vector>(x))); }
inline Lanes<double> last_wide(const Lanes<float>& x) {
  return as<Lanes<double>>(
      promote_first(shuffle(as<Vector>(x), std::index_sequence<8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15>())));
}
inline Lanes<float> narrow(const Lanes<double>& first, const Lanes<double>& last) {
  return as<Lanes<float>>(first_halves<16>(demoted(as<Vector>(first)), demoted(as<Vector>(last))));
}

// An operation on lanes of double, for lanes of float and of double.
template <class Op>
struct Wide {
  static Lanes<double> of(const Lanes<double>& x) { return Op::of(x); }
  static Lanes<float> of(const Lanes<float>& x) { return narrow(Op::of(first_wide(x)), Op::of(last_wide(x))); }
  static Lanes<double> of(const Lanes<double>& a, const Lanes<double>& b) { return Op::of(a, b); }
  static Lanes<float> of(const Lanes<float>& a, const Lanes<float>& b) {
    return narrow(Op::of(first_wide(a), first_wide(b)), Op::of(last_wide(a), last_wide(b)));
  }
};

}  // namespace broadloom
