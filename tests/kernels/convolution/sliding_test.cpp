#include "kernels/convolution/sliding.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::sliding_test {
namespace {

TEST(WindowAddresses, EachTapOfEachWindowHasTheAddressOfItsElementOrOfThePadding) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    SlidingAxes axes = random_axes(random, 1 + random.below(3));
    std::ptrdiff_t pitch = random.between(1, 3);
    for (std::size_t i = axes.size(); i-- > 0;) {
      axes[i].pitch = pitch;
      pitch *= axes[i].size;
    }
    const WindowAddresses windows(axes);
    ASSERT_EQ(windows.places(), places_of(axes));
    ASSERT_EQ(windows.taps(), taps_of(axes));
    const std::size_t first = random.below(windows.places());
    const std::size_t count = random.below(windows.places() - first) + 1;
    const std::size_t distance = count + random.below(3);
    std::vector<const std::byte*> at(windows.taps() * distance);
    const std::vector<std::byte> image(elements_of(axes) * 3);
    const std::byte outside{};
    windows.write(at.data(), distance, first, count, image.data(), &outside);
    for (std::size_t tap = 0; tap < windows.taps(); ++tap) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t element = element_at(axes, first + i, tap);
        const std::byte* const wanted = element < 0 ? &outside : image.data() + element * axes.values().back().pitch;
        ASSERT_EQ(at[tap * distance + i], wanted) << "window " << first + i << ", tap " << tap;
      }
    }
  }
}

TEST(WithoutIdleTaps, OnlyTapsThatArePaddingInAllWindowsAreTakenAway) {
  Random random;
  for (int round = 0; round < 4 * cases(); ++round) {
    SlidingAxes axes = random_axes(random, 1, {5, 30, 3});
    const SlidingAxis before = axes[0];
    const SlidingAxis after = without_idle_taps(axes)[0];
    const std::int64_t removed = (before.begin - after.begin) / before.dilation;
    ASSERT_GE(after.kernel, 1);
    for (std::int64_t tap = 0; tap < before.kernel; ++tap) {
      bool is_idle = true;
      for (std::int64_t place = 0; place < before.places; ++place) {
        const std::int64_t position = before.position(place, tap);
        is_idle = is_idle && (position < 0 || position >= before.size);
        if (tap >= removed && tap < removed + after.kernel) ASSERT_EQ(after.position(place, tap - removed), position);
      }
      if (tap < removed || tap >= removed + after.kernel) ASSERT_TRUE(is_idle) << "tap " << tap << " of " << before.kernel;
    }
    ASSERT_LE(after.kernel, before.size + (before.places - 1) * before.stride + 1) << "idle taps stay";
  }
}

}  // namespace
}  // namespace broadloom::test::sliding_test
