// Angles in radians as quarter turns and a rest.
#pragma once

#include "kernels/base/lane_math.h"

namespace broadloom {

// x = pi / 2 quarters + high + low, where the rest lies between about -pi / 4 and pi / 4, and `quarters` is known modulo 4.
struct Angle {
  Lanes<double> high;
  Lanes<double> low;
  Lanes<std::uint64_t> quarters;
};
// The angle of any x; NaN where x is infinite.
Angle reduce(const Lanes<double>& x);

// From here on an angle has more than 20 bits of quarter turns.
inline constexpr double large_angle = 0x1p20;

namespace quarter_turns {

inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
// Half of pi as a sum of two numbers, and of three. The first two of three have 33 bits: their products with 20 bits are exact.
inline constexpr double half_pi = 0x1.921fb54442d18p0;
inline constexpr double half_pi_low = 0x1.1a62633145c07p-54;
inline constexpr double first = 0x1.921fb544p0;
inline constexpr double second = 0x1.0b4611a6p-34;
inline constexpr double third = 0x1.3198a2e037073p-69;

}  // namespace quarter_turns

// As `reduce`, for angles below `large_angle`, and to the digits of a float.
struct ShortAngle {
  Lanes<double> rest;
  Lanes<std::uint64_t> quarters;  // only the last 32 bits count
};
inline ShortAngle reduce_short(const Lanes<double>& x) {
  using namespace quarter_turns;
  const Lanes<double> shifted = x * two_over_pi + FormatOf<double>::shift;
  const Lanes<double> count = shifted - FormatOf<double>::shift;
  return {(x - count * first) - count * (second + third), bits(shifted)};
}

}  // namespace broadloom
