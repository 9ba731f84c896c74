#include "kernels/convolution/deformed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::deformed_test {
namespace {

template <class T>
void expect_sampled(Dtype dtype, double precision) {
  Random random;
  for (int round = 0; round < cases() / 4; ++round) {
    const SlidingAxes axes = random_axes(random, 2, {6, 3, 2});
    const std::size_t groups = random.below(3) + 1;
    const std::size_t offset_groups = random.below(3) + 1;
    const std::size_t channels = groups * offset_groups * (random.below(3) + 1);
    const DeformedWindows windows{{axes[0], axes[1]}, channels, groups, offset_groups};
    const std::size_t places = places_of(axes.values());
    const std::size_t taps = taps_of(axes.values());
    ASSERT_EQ(windows.places(), places);
    ASSERT_EQ(windows.taps(), taps);
    const auto image = random_items<T>(random, elements_of(axes.values()) * channels, -1, 1);
    const auto offsets = random_items<double>(random, offset_groups * taps * 2 * places, -2, 2);
    const auto mask = random_items<double>(random, offset_groups * taps * places, 0, 1);
    const bool has_mask = random.one_in(2);
    const std::vector<T> zeros(channels);
    std::vector<T> to(places * taps * channels);
    ASSERT_TRUE(succeeds(sample_deformed(
        address(to), {dtype, address(image), offsets.data(), has_mask ? mask.data() : nullptr, address(zeros)}, windows)));
    const std::size_t in_group = channels / groups;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t place = i / channels / taps;
      const std::size_t tap = i / in_group % taps;
      const std::size_t channel = i / in_group / taps % groups * in_group + i % in_group;
      const std::size_t shift = channel / (channels / offset_groups) * taps + tap;
      const auto position = [&](std::size_t axis, std::size_t number, std::size_t of_tap) {
        return static_cast<double>(axes[axis].position(static_cast<std::int64_t>(number), static_cast<std::int64_t>(of_tap))) +
               offsets[(2 * shift + axis) * places + place];
      };
      const auto row_places = static_cast<std::size_t>(axes[1].places);
      const auto row_taps = static_cast<std::size_t>(axes[1].kernel);
      const double y = position(0, place / row_places, tap / row_taps);
      const double x = position(1, place % row_places, tap % row_taps);
      double wanted = 0;
      for (std::int64_t row = 0; row < axes[0].size; ++row) {
        for (std::int64_t column = 0; column < axes[1].size; ++column) {
          const double weight = std::max(0.0, 1 - std::abs(y - static_cast<double>(row))) *
                                std::max(0.0, 1 - std::abs(x - static_cast<double>(column)));
          const auto pixel = static_cast<std::size_t>(row * axes[1].size + column);
          wanted += weight * static_cast<double>(image[pixel * channels + channel]);
        }
      }
      if (has_mask) wanted *= mask[shift * places + place];
      ASSERT_NEAR(to[i], wanted, precision) << channels << " channels, " << groups << " groups, " << offset_groups;
    }
  }
}

TEST(SampleDeformed, EachTapIsLinearBetweenTheNeighboursOfItsShiftedPlace) {
  expect_sampled<float>(Dtype::float32, 1e-6);
  expect_sampled<double>(Dtype::float64, 1e-14);
}

}  // namespace
}  // namespace broadloom::test::deformed_test
