#include "kernels/convolution/pool_masked.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::pool_masked_test {
namespace {

TEST(PoolMasked, AMaskedElementEndsItsRowOfTheWindow) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const SlidingAxes axes = random_axes(random, 1 + random.below(3), {7, 4, 1});
    auto plane = random_items<float>(random, elements_of(axes.values()), -1, 1);
    if (random.one_in(3)) plane[random.below(plane.size())] = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::int32_t> mask(plane.size());
    for (std::int32_t& element : mask) element = random.one_in(4) ? 0 : 5;
    std::vector<float> to(places_of(axes.values()));
    ASSERT_TRUE(succeeds(pool_masked(to.data(), plane.data(), mask.data(), axes.values())));
    const auto row_taps = static_cast<std::size_t>(axes.values().back().kernel);
    for (std::size_t place = 0; place < to.size(); ++place) {
      float most = std::numeric_limits<float>::lowest();
      bool has_ended = false;
      for (std::size_t tap = 0; tap < taps_of(axes.values()); ++tap) {
        if (tap % row_taps == 0) has_ended = false;
        const std::int64_t element = element_at(axes.values(), place, tap);
        if (element < 0) continue;
        has_ended = has_ended || mask[static_cast<std::size_t>(element)] == 0;
        if (!has_ended && plane[static_cast<std::size_t>(element)] > most) most = plane[static_cast<std::size_t>(element)];
      }
      ASSERT_EQ(to[place], most) << "window " << place;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::pool_masked_test
