#include "kernels/movement/short_rows.h"

#include <gtest/gtest.h>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::short_rows_test {
namespace {

TEST(ShortRows, RowsWithinOneVectorAreWrittenForwardsBackwardsAndWithGaps) {
  Random random;
  int written = 0;
  for (int round = 0; round < 4 * cases(); ++round) {
    AxisList axes(1 + random.below(3));
    for (std::size_t i = 0; i < axes.size(); ++i) {
      axes[i].extent = i == 0 ? random.between(1, 60) : random.between(2, 5);
      axes[i].stride = random.between(1, i + 1 == axes.size() ? 3 : 9) * (random.one_in(3) ? -1 : 1);
    }
    const std::size_t size = item_sizes[random.below(5)];
    const ShortRows rows(axes, size);
    if (rows.depth() == 0) continue;
    ++written;
    ASSERT_LE(rows.depth(), axes.size());
    AxisList some(axes.end() - static_cast<std::ptrdiff_t>(rows.depth()), axes.end());
    some.front().extent = random.between(1, 60);
    const AxesSource source(some, size);
    Guarded to(count_of(some) * size, random.below(16));
    rows.write(to.data(), source.first(), static_cast<std::size_t>(some.front().extent));
    ASSERT_EQ(to.written(), items_at(source.first(), some, size))
        << rows.depth() << " axes, the last one by " << some.back().stride << ", items of " << size;
    ASSERT_TRUE(to.intact());
  }
  EXPECT_GT(written, cases());
}

TEST(ShortRows, DepthIsTheAxesThatReachOverOneVectorAndTheOneAroundThem) {
  const auto depth = [](const AxisList& axes, std::size_t size) { return ShortRows(axes, size).depth(); };
  EXPECT_EQ(depth({{9, 100}, {9, 8}, {4, 1}}, 2), 2U);  // the rows have 8 bytes, two of them 24
  EXPECT_EQ(depth({{9, 100}, {2, 4}, {4, 1}}, 2), 3U);  // two rows have 16 bytes
  EXPECT_EQ(depth({{9, 100}, {9, 3}}, 4), 1U);          // two items lie in a vector
  EXPECT_EQ(depth({{9, 100}, {9, 4}}, 4), 0U);
  EXPECT_EQ(depth({{9, 0}, {2, 1}}, 4), 0U);  // nothing is walked over
}

}  // namespace
}  // namespace broadloom::test::short_rows_test
