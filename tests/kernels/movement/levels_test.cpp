#include "kernels/movement/levels.h"

#include <gtest/gtest.h>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::levels_test {
namespace {

// Axes of dense elements. Every second one is repeated, and the last one is or is not.
AxisList random_levels(Random& random, std::size_t rank) {
  AxisList axes(rank);
  std::int64_t dense = 1;
  for (std::size_t i = rank; i-- > 0;) {
    axes[i].extent = random.between(2, random.one_in(4) ? 20 : 5);
    axes[i].stride = i % 2 == 1 ? 0 : dense;
    if (i % 2 == 0) dense *= axes[i].extent;
  }
  return axes;
}

TEST(Levels, RepeatsWithinRepeatsAreWrittenFromAnyLevelOn) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const AxisList axes = random_levels(random, 2 + random.below(6));
    const std::size_t size = item_sizes[random.below(5)];
    Levels levels(axes, size);
    ASSERT_EQ(levels.depth(), axes.size());
    for (std::size_t rank = axes.size(); rank >= 2; rank -= 2) {
      const std::span<const Axis> inner = std::span(axes).last(rank);
      if (inner.front().stride == 0 || count_of(inner.subspan(2)) * size > Levels::most_bytes) break;
      AxisList some(inner.begin(), inner.end());
      some.front().extent = random.between(1, 30);
      if (count_of(some) * size > 20000) break;
      const AxesSource source(some, size);
      Guarded to(count_of(some) * size, random.below(16));
      levels.write(to.data(), source.first(), inner, static_cast<std::size_t>(some.front().extent));
      ASSERT_TRUE(to.written() == items_at(source.first(), some, size))
          << rank << " axes of " << axes.size() << ", items of " << size;
      ASSERT_TRUE(to.intact());
      if (rank < 4) break;
    }
  }
}

TEST(Levels, EndWhereElementsAreNotDense) {
  const AxisList axes{{2, 20}, {3, 0}, {4, 2}, {2, 0}, {2, 1}};
  EXPECT_EQ(Levels(axes, 4).depth(), 4U);  // 20 is not the 8 that are dense
}

}  // namespace
}  // namespace broadloom::test::levels_test
