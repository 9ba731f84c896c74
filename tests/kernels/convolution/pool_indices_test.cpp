#include "kernels/convolution/pool_indices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::pool_indices_test {
namespace {

// The number in its plane, where the first axis is the innermost one.
std::int64_t number_by_columns(const SlidingAxes& axes, std::int64_t number) {
  std::int64_t result = 0;
  std::int64_t step = static_cast<std::int64_t>(elements_of(axes.values()));
  for (std::size_t i = axes.size(); i-- > 0; number /= axes[i].size) {
    step /= axes[i].size;
    result += number % axes[i].size * step;
  }
  return result;
}

TEST(FindMaxima, TheFirstOfTheLargestElementsIsFoundAndItsNumberCountsInEitherOrder) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const SlidingAxes axes = random_axes(random, 1 + random.below(3), {7, 3, 2});
    const std::size_t planes = random.below(3) + 1;
    const std::size_t elements = elements_of(axes.values());
    const std::size_t places = places_of(axes.values());
    // Few different numbers, so that many are equal.
    std::vector<double> from(planes * elements);
    for (double& number : from) number = random.one_in(30) ? nan : static_cast<double>(random.between(-2, 2));
    const bool by_columns = random.one_in(2);
    std::vector<double> to(planes * places);
    std::vector<std::int64_t> numbers(planes * places);
    ASSERT_TRUE(succeeds(find_maxima(to.data(), numbers.data(), from.data(), planes, axes.values(), -9, by_columns)));
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t first = i / places * elements;
      std::int64_t best = -1;
      for (std::size_t tap = 0; tap < taps_of(axes.values()); ++tap) {
        const std::int64_t element = element_at(axes.values(), i % places, tap);
        if (element < 0) continue;
        const double x = from[first + static_cast<std::size_t>(element)];
        const double most = best < 0 ? 0 : from[first + static_cast<std::size_t>(best)];
        if (best < 0 || x > most || (std::isnan(x) && !std::isnan(most))) best = element;
      }
      if (best < 0) {
        ASSERT_EQ(to[i], -9);
        ASSERT_EQ(numbers[i], -1);
        continue;
      }
      const double most = from[first + static_cast<std::size_t>(best)];
      ASSERT_TRUE(to[i] == most || (std::isnan(to[i]) && std::isnan(most))) << to[i] << ", wanted " << most;
      ASSERT_EQ(numbers[i], static_cast<std::int64_t>(first) + (by_columns ? number_by_columns(axes, best) : best));
    }
  }
}

}  // namespace
}  // namespace broadloom::test::pool_indices_test
