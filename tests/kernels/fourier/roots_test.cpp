#include "kernels/fourier/roots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::roots_test {
namespace {

using fourier::Series;
using fourier::write_roots;

TEST(Roots, OfTheCircleAndOfChirpsAreExponentials) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t length = random.below(3000) + 1;
    const std::size_t first = random.below(2 * length);
    const std::size_t count = random.below(20) + (random.one_in(20) ? 600 : 0);
    const auto series = random.one_in(2) ? Series::circle : Series::chirp;
    std::vector<double> roots(2 * count);
    std::vector<float> floats(2 * count);
    write_roots(roots.data(), first, count, length, series);
    write_roots(floats.data(), first, count, length, series);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = first + i;
      const std::size_t turn = series == Series::chirp ? k * k % (2 * length) : 2 * k % (2 * length);
      const double angle = std::numbers::pi * static_cast<double>(turn) / static_cast<double>(length);
      ASSERT_NEAR(roots[2 * i], std::cos(angle), 2e-15) << k << " of " << length;
      ASSERT_NEAR(roots[2 * i + 1], -std::sin(angle), 2e-15) << k << " of " << length;
      ASSERT_EQ(floats[2 * i], static_cast<float>(roots[2 * i]));
      ASSERT_EQ(floats[2 * i + 1], static_cast<float>(roots[2 * i + 1]));
    }
  }
}

TEST(Roots, QuartersOfATurnAreExact) {
  double roots[8];
  write_roots(roots, 0, 4, 4);
  const double wanted[] = {1, 0, 0, -1, -1, 0, 0, 1};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(roots[i], wanted[i]) << i;
}

}  // namespace
}  // namespace broadloom::test::roots_test
