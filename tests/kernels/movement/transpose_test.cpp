#include "kernels/movement/transpose.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::transpose_test {
namespace {

TEST(Transpose, PermutedAxesOfEitherDirectionAreWrittenInTheOrderOfTheResult) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    AxisList axes(2 + random.below(3));
    std::vector<std::size_t> order(axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::int64_t stride = 1;
    for (const std::size_t axis : order) {
      const bool is_long = axes.size() == 2 && random.one_in(20);
      axes[axis] = {is_long ? random.between(200, 300) : random.between(2, 12), random.one_in(4) ? -stride : stride};
      stride = stride * axes[axis].extent + random.between(0, 1);
    }
    const std::size_t size = item_sizes[random.below(5)];
    const Transpose transpose(axes, size);
    // The axis with the smallest stride, of those around the last one.
    std::size_t depth = 0;
    for (std::size_t i = 2; i <= axes.size(); ++i) {
      const Axis& best = axes[axes.size() - std::max<std::size_t>(depth, 1)];
      if (std::abs(axes[axes.size() - i].stride) < std::abs(best.stride)) depth = i;
    }
    ASSERT_EQ(transpose.depth(), depth);
    if (depth == 0) continue;
    AxisList some(axes.end() - static_cast<std::ptrdiff_t>(depth), axes.end());
    some.front().extent = random.between(1, some.front().extent);
    const AxesSource source(some, size);
    Guarded to(count_of(some) * size, random.below(16));
    transpose.write(to.data(), source.first(), static_cast<std::size_t>(some.front().extent));
    ASSERT_TRUE(to.written() == items_at(source.first(), some, size)) << depth << " axes, items of " << size;
    ASSERT_TRUE(to.intact());
  }
}

TEST(Transpose, MoreRowsThanAreWrittenAtATimeWithAxesBetweenThem) {
  for (const std::int64_t sign : {1, -1}) {
    const AxisList axes{{300, sign}, {3, 700}, {5, 2100}};
    const AxesSource source(axes, 4);
    Guarded to(count_of(axes) * 4, 1);
    Transpose(axes, 4).write(to.data(), source.first(), 300);
    EXPECT_TRUE(to.written() == items_at(source.first(), axes, 4));
    EXPECT_TRUE(to.intact());
  }
}

TEST(Transpose, ADenseLayoutIsNone) { EXPECT_EQ(Transpose(AxisList{{3, 8}, {2, 4}, {4, 1}}, 4).depth(), 0U); }

}  // namespace
}  // namespace broadloom::test::transpose_test
