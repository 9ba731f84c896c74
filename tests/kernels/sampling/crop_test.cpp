#include "kernels/sampling/crop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::crop_test {
namespace {

TEST(PlaceCrop, PlacesAreAtEqualDistancesFromTheStartToTheEnd) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t size = random.below(20) + 1;
    const double start = random.real(-0.2, 1.2);
    const double end = random.real(-0.2, 1.2);
    const bool is_nearest = random.one_in(2);
    std::vector<CropTap> taps(random.below(12) + 1);
    place_crop<double>(taps, start, end, size, is_nearest);
    const auto last = static_cast<double>(size - 1);
    for (std::size_t i = 0; i < taps.size(); ++i) {
      const double part = taps.size() == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(taps.size() - 1);
      const double x = (start + (end - start) * part) * last;
      if (std::min(std::abs(x), std::abs(x - last)) > 1e-9) ASSERT_EQ(taps[i].is_inside, x > 0 && x < last) << x;
      if (!taps[i].is_inside) continue;
      ASSERT_LE(std::max(taps[i].low, taps[i].high), size - 1);
      if (is_nearest) {
        ASSERT_EQ(taps[i].low, taps[i].high);
        ASSERT_LE(std::abs(static_cast<double>(taps[i].low) - x), 0.5 + 1e-9);
      } else {
        ASSERT_LE(taps[i].high - taps[i].low, 1U);
        ASSERT_NEAR(static_cast<double>(taps[i].low) + taps[i].part, x, 1e-9);
      }
    }
  }
}

TEST(PlaceCrop, TheNearestOfTwoIsTheFurtherOneAndTheLastPlaceIsTheEnd) {
  std::vector<CropTap> taps(3);
  place_crop<float>(taps, 0, 1, 2, true);
  EXPECT_EQ(taps[1].low, 1U);
  place_crop<float>(taps, 0, 1, 100, false);
  EXPECT_TRUE(taps[2].is_inside);
  EXPECT_EQ(taps[2].low, 99U);
  EXPECT_EQ(taps[2].part, 0);
}

TEST(CropPlane, ElementsAreLinearBetweenTheirNeighboursAndGivenOutside) {
  Random random;
  for (int round = 0; round < cases() / 5; ++round) {
    const std::size_t height = random.below(6) + 1;
    const std::size_t width = random.below(6) + 1;
    const auto plane = random_items<float>(random, height * width, -1, 1);
    const auto taps_of = [&](std::size_t size) {
      std::vector<CropTap> taps(random.below(6));
      for (CropTap& tap : taps) tap = {random.below(size), random.below(size), random.real(0, 1), !random.one_in(5)};
      return taps;
    };
    const std::vector<CropTap> rows = taps_of(height);
    const std::vector<CropTap> columns = taps_of(width);
    std::vector<float> to(rows.size() * columns.size());
    crop_plane<float>(to.data(), plane.data(), width, rows, columns, 9);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const CropTap& y = rows[i / columns.size()];
      const CropTap& x = columns[i % columns.size()];
      const auto along = [&](std::size_t row) {
        return static_cast<double>(plane[row * width + x.low]) * (1 - x.part) +
               static_cast<double>(plane[row * width + x.high]) * x.part;
      };
      const double wanted = y.is_inside && x.is_inside ? along(y.low) * (1 - y.part) + along(y.high) * y.part : 9;
      ASSERT_NEAR(to[i], wanted, 1e-6);
    }
  }
}

}  // namespace
}  // namespace broadloom::test::crop_test
