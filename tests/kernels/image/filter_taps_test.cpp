#include "kernels/image/filter_taps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "support/cases.h"
#include "support/expect.h"
#include "support/random.h"

namespace broadloom::image::filter_taps_test {
namespace {

using test::must;
using test::Random;

constexpr Filter filters[] = {Filter::box, Filter::bilinear, Filter::hamming, Filter::bicubic, Filter::lanczos};

ResizedSide random_side(Random& random) {
  ResizedSide side{random.between(1, 70), random.between(1, 70), 0, 0};
  side.begin = random.between(0, side.to - 1);
  side.end = random.between(side.begin + 1, side.to);
  return side;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

double value_of(Filter filter, double x) {
  const double d = std::abs(x);
  switch (filter) {
    case Filter::box: return x > -0.5 && x <= 0.5 ? 1 : 0;
    case Filter::bilinear: return std::max(0.0, 1 - d);
    case Filter::hamming: return d < 1 ? sinc(x) * (0.54 + 0.46 * std::cos(std::numbers::pi * x)) : 0;
    case Filter::bicubic:
      return d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : d < 2 ? -0.5 * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
    default: return d < 3 ? sinc(x) * sinc(x / 3) : 0;
  }
}

TEST(FilterTaps, WeightsAreTheFilterAroundTheCentreOverTheirSum) {
  Random random;
  for (int round = 0; round < test::cases(); ++round) {
    const Filter filter = filters[round % 5];
    const ResizedSide side = random_side(random);
    const FilterTaps taps = must(FilterTaps::make(filter, side));
    ASSERT_EQ(taps.count(), side.count());
    const double scale = static_cast<double>(side.from) / static_cast<double>(side.to);
    for (std::size_t i = 0; i < taps.count(); ++i) {
      const std::size_t first = taps.of(i).first;
      const std::size_t count = taps.of(i).count;
      ASSERT_LE(count, taps.most());
      ASSERT_LE(first + count, static_cast<std::size_t>(side.from));
      const double centre = (static_cast<double>(side.begin) + static_cast<double>(i) + 0.5) * scale;
      const auto weight_at = [&](std::size_t k) {
        return value_of(filter, (static_cast<double>(first + k) - centre + 0.5) / std::max(scale, 1.0));
      };
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += weight_at(k);
      for (std::size_t k = 0; k < (count + 7) / 8 * 8; ++k) {
        std::int16_t high = 0;
        std::int16_t low = 0;
        std::memcpy(&high, taps.high(i) + 2 * k, 2);
        std::memcpy(&low, taps.low(i) + 2 * k, 2);
        const double weight = std::ldexp(static_cast<double>(high), FilterTaps::low_bits) + static_cast<double>(low);
        ASSERT_NEAR(std::ldexp(weight, -FilterTaps::fraction_bits), k < count ? weight_at(k) / sum : 0, 1e-6)
            << side.from << " to " << side.to << ", tap " << k << " of " << count;
      }
    }
  }
}

TEST(LinearTaps, TwoPixelsAroundTheCentreShareAWeightOf2048) {
  Random random;
  for (int round = 0; round < test::cases(); ++round) {
    const ResizedSide side = random_side(random);
    const LinearEdge edge = random.one_in(2) ? LinearEdge::whole : LinearEdge::twice;
    const std::vector<LinearTap> taps = must(linear_taps(side, edge));
    ASSERT_EQ(taps.size(), side.count());
    for (std::size_t i = 0; i < taps.size(); ++i) {
      const double x = (static_cast<double>(side.begin) + static_cast<double>(i) + 0.5) * static_cast<double>(side.from) /
                           static_cast<double>(side.to) -
                       0.5;
      const LinearTap& tap = taps[i];
      ASSERT_EQ(tap.weights[0] + tap.weights[1], 2048);
      const double at = (tap.first * tap.weights[0] + tap.second * tap.weights[1]) / 2048.0;
      ASSERT_NEAR(at, std::clamp(x, 0.0, static_cast<double>(side.from - 1)), 1e-3) << side.from << " to " << side.to;
      if (edge == LinearEdge::whole && (x < 0 || x >= static_cast<double>(side.from - 1))) ASSERT_EQ(tap.weights[1], 0);
    }
  }
}

TEST(NearestPositions, ArePositionsBelowTheCentres) {
  Random random;
  for (int round = 0; round < test::cases(); ++round) {
    const ResizedSide side = random_side(random);
    const std::vector<std::int32_t> positions = must(nearest_positions(side));
    ASSERT_EQ(positions.size(), side.count());
    const double scale = static_cast<double>(side.from) / static_cast<double>(side.to);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const double centre = (static_cast<double>(side.begin) + static_cast<double>(i) + 0.5) * scale;
      ASSERT_GE(positions[i] + 1, centre - 1e-9);
      ASSERT_LE(positions[i], centre + 1e-9);
    }
  }
}

}  // namespace
}  // namespace broadloom::image::filter_taps_test
