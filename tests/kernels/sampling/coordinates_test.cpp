#include "kernels/sampling/coordinates.h"

#include <gtest/gtest.h>

namespace broadloom::test::coordinates_test {
namespace {

constexpr ResizeRule half_pixel{.coordinates = Coordinates::half_pixel, .nearest = NearestMode::round_prefer_floor};
constexpr ResizeRule asymmetric{.coordinates = Coordinates::asymmetric, .nearest = NearestMode::floor};

ResizedAxis by_sizes(std::int64_t from, std::int64_t to) {
  const auto length = static_cast<double>(to);
  return {from, to, length, static_cast<double>(from), length};
}

// Above 2^23 float32 has no fractions, and above 2^24 not every integer.
TEST(Coordinates, OfLongAxesAreFloat64) {
  for (const std::int64_t from : {(std::int64_t{1} << 22) + 5, (std::int64_t{1} << 24) + 3, (std::int64_t{1} << 40) + 1}) {
    const ResizedAxis twice{from, 2 * from, 2, 1, static_cast<double>(2 * from)};
    const ResizedAxis half{from, from / 2, 0.5, 1, static_cast<double>(from) / 2};
    for (std::int64_t i = 2 * from - 1000; i < 2 * from; ++i) {
      ASSERT_EQ(nearest_index(half_pixel, twice, i), i / 2) << i;
      ASSERT_EQ(nearest_index(half_pixel, by_sizes(from, 2 * from), i), i / 2) << i;
      ASSERT_EQ(nearest_index(asymmetric, half, i / 4), i / 4 * 2) << i;
    }
    // A fifth in float32 is a little more than a fifth.
    const ResizedAxis fifth{from, from / 5, static_cast<double>(0.2F), 1, static_cast<double>(from) / 5};
    const std::int64_t last = nearest_index(asymmetric, fifth, from / 5 - 1);
    EXPECT_LE(last, from - 5);
    EXPECT_GE(static_cast<double>(last), static_cast<double>(from) * (1 - 1e-7) - 9);
    EXPECT_EQ(nearest_index(asymmetric, fifth, 800000), 4000000);
  }
}

TEST(Coordinates, OfAnyPairOfSizesTakeTheOutermostElementsAtTheEnds) {
  for (const std::int64_t from : {std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 31, (std::int64_t{1} << 40) + 1}) {
    for (const std::int64_t to : {std::int64_t{2}, std::int64_t{3}, std::int64_t{1000}, (std::int64_t{1} << 31) + 1}) {
      for (const Coordinates mode : {Coordinates::align_corners, Coordinates::tf_crop_and_resize}) {
        for (const NearestMode nearest : {NearestMode::floor, NearestMode::ceil}) {
          const ResizeRule rule{.coordinates = mode, .nearest = nearest};
          const ResizedAxis axis = by_sizes(from, to);
          EXPECT_EQ(nearest_index(rule, axis, 0), 0) << from << " -> " << to;
          EXPECT_EQ(nearest_index(rule, axis, to - 1), from - 1) << from << " -> " << to;
          EXPECT_FALSE(is_outside(rule, axis, to - 1));
        }
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::coordinates_test
