#include "kernels/fourier/windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::windows_test {
namespace {

TEST(WriteWindow, ACosineWindowHasItsTermsAtEachPlaceOfThePeriod) {
  Random random;
  for (const std::size_t count : {1U, 2U, 7U, 400U, 1500U}) {
    const std::uint64_t period = count + random.below(2);
    const CosineWindow window{random.real(0, 1), random.real(0, 1), random.real(0, 1)};
    std::vector<double> doubles(count);
    std::vector<float> floats(count);
    ASSERT_TRUE(succeeds(write_window(address(doubles), Dtype::float64, count, period, window)));
    ASSERT_TRUE(succeeds(write_window(address(floats), Dtype::float32, count, period, window)));
    for (std::size_t k = 0; k < count; ++k) {
      const double turn = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(period);
      const double wanted = window.constant - window.first * std::cos(turn) + window.second * std::cos(2 * turn);
      ASSERT_NEAR(doubles[k], wanted, 1e-14) << k << " of " << period;
      ASSERT_EQ(floats[k], static_cast<float>(doubles[k])) << "rounded once";
    }
  }
}

TEST(MelBands, EachBandRisesToItsCentreAndFallsToTheNextOne) {
  const std::int64_t count = 8;
  const MelBands bands(count, 1024, 8192, 0, 4096);
  constexpr std::int64_t rows = 513;
  std::vector<float> weights(static_cast<std::size_t>(rows * count), 77);
  ASSERT_TRUE(succeeds(bands.write(address(weights), Dtype::float32, rows)));
  const double step = 2595 * std::log10(1 + 4096.0 / 700) / static_cast<double>(count + 2);
  for (std::int64_t band = 0; band < count; ++band) {
    const double frequency = 700 * (std::pow(10, static_cast<double>(band) * step / 2595) - 1);
    ASSERT_EQ(bands.corner(band), std::floor(1025 * frequency / 8192));
    const double corners[] = {bands.corner(band), bands.corner(band + 1), bands.corner(band + 2)};
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto at = static_cast<double>(row);
      double wanted = 0;
      if (at >= corners[0] && at < corners[1]) wanted = (at - corners[0]) / (corners[1] - corners[0]);
      if (at >= corners[1] && at < corners[2]) wanted = (corners[2] - at) / (corners[2] - corners[1]);
      ASSERT_EQ(weights[static_cast<std::size_t>(row * count + band)], static_cast<float>(wanted))
          << row << " in band " << band;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::windows_test
