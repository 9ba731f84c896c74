#include "kernels/sampling/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::grid_test {
namespace {

// The element that stands for a number on an axis, or -1 for a zero.
std::int64_t element_of(std::int64_t number, std::int64_t size, GridPadding padding, bool aligns_corners) {
  if (number >= 0 && number < size) return number;
  if (padding == GridPadding::zeros) return -1;
  if (padding == GridPadding::border) return number < 0 ? 0 : size - 1;
  if (size == 1) return 0;
  const std::int64_t reflected = number < 0 ? -number - (aligns_corners ? 0 : 1) : 2 * size - (aligns_corners ? 2 : 1) - number;
  return element_of(reflected, size, padding, aligns_corners);
}

double cubic(double d) {
  constexpr double a = -0.75;
  d = std::abs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

double weight_of(GridMode mode, double d) {
  if (mode == GridMode::cubic) return cubic(d);
  return std::max(0.0, 1 - std::abs(d));
}

TEST(GridPoints, AreWeightedOrNearestElementsOfTheImageThatGoesOnAsThePaddingSays) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const auto mode = static_cast<GridMode>(random.below(3));
    const auto padding = static_cast<GridPadding>(random.below(3));
    const bool aligns_corners = random.one_in(2);
    const std::size_t sizes[] = {random.below(5) + 1, random.below(5) + 1};
    const std::size_t parts = random.below(2) + 1;
    const auto image = random_items<double>(random, sizes[0] * sizes[1] * parts, -1, 1);
    const std::size_t taps = grid_taps(mode, 2);
    std::vector<std::size_t> offsets(taps * GridPoints<double>::most);
    std::vector<double> weights(taps * GridPoints<double>::most);
    GridPoints<double> points(mode, padding, offsets.data(), weights.data());
    const std::size_t count = random.below(12) + 1;
    const GridAxis axes[] = {{sizes[0], sizes[1], aligns_corners}, {sizes[1], 1, aligns_corners}};
    std::vector<double> numbers;
    std::vector<double> wanted(count);
    for (std::size_t i = 0; i < count; ++i) {
      double x[2];
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double number = random.real(-2.5, 2.5);
        const auto length = static_cast<double>(sizes[axis]);
        x[axis] = aligns_corners ? (number + 1) / 2 * (length - 1) : ((number + 1) * length - 1) / 2;
        if (mode == GridMode::nearest) x[axis] = std::nearbyint(x[axis]);
        numbers.insert(numbers.end() - static_cast<std::ptrdiff_t>(axis), number);
      }
      for (std::int64_t row = -20; row <= 20; ++row) {
        for (std::int64_t column = -20; column <= 20; ++column) {
          const double weight =
              weight_of(mode, x[0] - static_cast<double>(row)) * weight_of(mode, x[1] - static_cast<double>(column));
          const std::int64_t y = element_of(row, static_cast<std::int64_t>(sizes[0]), padding, aligns_corners);
          const std::int64_t z = element_of(column, static_cast<std::int64_t>(sizes[1]), padding, aligns_corners);
          if (weight == 0 || y < 0 || z < 0) continue;
          wanted[i] += weight * image[(static_cast<std::size_t>(y) * sizes[1] + static_cast<std::size_t>(z)) * parts];
        }
      }
    }
    points.place(axes, numbers.data(), count);
    std::vector<double> to(count * parts);
    if (mode == GridMode::nearest) {
      points.copy(address(to), address(image), count, parts * sizeof(double));
    } else {
      points.sum(to.data(), image.data(), count, parts);
    }
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_NEAR(to[i * parts], wanted[i], 1e-9)
          << "mode " << static_cast<int>(mode) << ", padding " << static_cast<int>(padding);
  }
}

// A number on an axis: at or beyond the borders, halfway between elements, tiny, or none at all.
float random_number(Random& random) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float numbers[] = {-1, 1, 0, -0.0F, -1e-12F, 0.5F, -1.0000001F, 3, 1e30F, infinity, -infinity, NAN};
  return random.one_in(4) ? numbers[random.below(std::size(numbers))] : static_cast<float>(random.real(-1.2, 1.2));
}

TEST(GridPoints, OfFloat32HaveTheSameBitsOneByOne) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const auto mode = static_cast<GridMode>(random.below(3));
    const auto padding = static_cast<GridPadding>(random.below(3));
    const std::size_t rank = random.below(3) + 1;
    std::vector<GridAxis> axes(rank);
    std::size_t step = 1;
    for (std::size_t i = rank; i-- > 0; step *= axes[i].size) axes[i] = {random.below(9) + 1, step, random.one_in(2)};
    const auto image = random_items<float>(random, step, -1, 1);
    const std::size_t count = random.below(20) + 1;
    std::vector<float> numbers(count * rank);
    for (float& number : numbers) number = random_number(random);
    const std::size_t taps = grid_taps(mode, rank) * GridPoints<float>::most;
    std::vector<std::size_t> offsets(taps);
    std::vector<float> weights(taps);
    GridPoints<float> points(mode, padding, offsets.data(), weights.data());
    const auto sample = [&](float* to, const float* from, std::size_t some) {
      points.place(axes, from, some);
      if (mode == GridMode::nearest) return points.copy(reinterpret_cast<std::byte*>(to), address(image), some, sizeof(float));
      points.sum(to, image.data(), some, 1);
    };
    std::vector<float> together(count), single(count);
    sample(together.data(), numbers.data(), count);
    for (std::size_t i = 0; i < count; ++i) sample(&single[i], &numbers[i * rank], 1);
    ASSERT_EQ(std::memcmp(together.data(), single.data(), count * sizeof(float)), 0)
        << "mode " << static_cast<int>(mode) << ", padding " << static_cast<int>(padding);
  }
}

}  // namespace
}  // namespace broadloom::test::grid_test
