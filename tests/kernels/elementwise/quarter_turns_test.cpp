#include "kernels/elementwise/quarter_turns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::quarter_turns_test {
namespace {

// The sine of a number of quarter turns and a rest.
double sine(std::uint64_t quarters, double high, double low) {
  const double turned = quarters % 2 == 0 ? std::sin(high) + low * std::cos(high) : std::cos(high) - low * std::sin(high);
  return quarters % 4 < 2 ? turned : -turned;
}

TEST(QuarterTurns, AnglesOfEveryMagnitudeAreQuarterTurnsAndARestBelowHalfOfOne) {
  Random random;
  for (int round = 0; round < 10 * cases(); ++round) {
    Lanes<double> x{};
    for (std::size_t i = 0; i < lanes_of<double>; ++i)
      x[i] = std::ldexp(random.real(1, 2), static_cast<int>(random.between(-10, random.one_in(2) ? 25 : 1023))) *
             (random.one_in(2) ? 1 : -1);
    const Angle angle = reduce(x);
    for (std::size_t i = 0; i < lanes_of<double>; ++i) {
      ASSERT_LE(std::abs(angle.high[i]), 0.7854) << x[i];
      ASSERT_LE(std::abs(angle.low[i]), 0x1p-52) << x[i];
      ASSERT_NEAR(sine(angle.quarters[i], angle.high[i], angle.low[i]), std::sin(x[i]), 3e-16) << x[i];
      ASSERT_NEAR(sine(angle.quarters[i] + 1, angle.high[i], angle.low[i]), std::cos(x[i]), 3e-16) << x[i];
    }
  }
}

TEST(QuarterTurns, ShortAnglesHaveTheDigitsOfAFloat) {
  Random random;
  for (int round = 0; round < 10 * cases(); ++round) {
    const Lanes<double> x{random.real(-large_angle, large_angle), random.real(-10, 10)};
    const ShortAngle angle = reduce_short(x);
    for (std::size_t i = 0; i < lanes_of<double>; ++i)
      ASSERT_NEAR(sine(angle.quarters[i] & 0xFFFFFFFFU, angle.rest[i], 0), std::sin(x[i]), 1e-9) << x[i];
  }
}

TEST(QuarterTurns, TheRestOfAnInfinityIsNan) {
  const Angle angle = reduce(Lanes<double>{infinity<double>, 1});
  EXPECT_TRUE(std::isnan(angle.high[0]));
  EXPECT_FALSE(std::isnan(angle.high[1]));
}

}  // namespace
}  // namespace broadloom::test::quarter_turns_test
