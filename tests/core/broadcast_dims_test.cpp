#include "core/layout.h"
#include "support/expect.h"
#include "support/lists.h"
#include "support/random.h"

namespace broadloom::test::broadcast_dims_test {
namespace {

Result<SymbolicDims> broadcast(const List& a, const List& b) { return broadcast_dims(sizes_of(a), sizes_of(b)); }

// Expects the same dims for both orders of operands.
void expect_both_ways(const List& a, const List& b, const List& expected) {
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
    const auto result = broadcast(first, second);
    ASSERT_TRUE(succeeds(result)) << testing::PrintToString(first) << testing::PrintToString(second);
    EXPECT_EQ(list(*result), expected) << testing::PrintToString(first) << testing::PrintToString(second);
  }
}

void expect_refused_both_ways(const List& a, const List& b) {
  EXPECT_TRUE(fails(broadcast(a, b), Code::InvalidArgument)) << testing::PrintToString(a) << testing::PrintToString(b);
  EXPECT_TRUE(fails(broadcast(b, a), Code::InvalidArgument)) << testing::PrintToString(b) << testing::PrintToString(a);
}

TEST(BroadcastDims, EqualSizesStay) { expect_both_ways({2, 3}, {2, 3}, {2, 3}); }

TEST(BroadcastDims, AnAxisOfSizeOneStretches) {
  expect_both_ways({3, 1}, {3, 4}, {3, 4});
  expect_both_ways({1, 1}, {3, 4}, {3, 4});
}

TEST(BroadcastDims, BothOperandsMayStretch) { expect_both_ways({3, 1, 5}, {1, 4, 1}, {3, 4, 5}); }

TEST(BroadcastDims, MissingLeadingAxesCountAsOne) {
  expect_both_ways({4}, {2, 3, 4}, {2, 3, 4});
  expect_both_ways({3, 1}, {2, 1, 6}, {2, 3, 6});
}

TEST(BroadcastDims, AScalarStretchesToAnything) {
  expect_both_ways({}, {}, {});
  expect_both_ways({}, {1}, {1});
  expect_both_ways({}, {2, 3}, {2, 3});
  expect_both_ways({}, {2, 0, 3}, {2, 0, 3});
}

TEST(BroadcastDims, AZeroSizeAxisStretchesAgainstOne) {
  expect_both_ways({0}, {1}, {0});
  expect_both_ways({2, 0}, {1, 1}, {2, 0});
}

TEST(BroadcastDims, AZeroSizeAxisEqualsAnother) { expect_both_ways({0, 3}, {0, 3}, {0, 3}); }

TEST(BroadcastDims, AZeroSizeAxisAgainstTwoOrMoreIsRefused) {
  expect_refused_both_ways({0}, {2});
  expect_refused_both_ways({3, 0}, {3, 7});
}

TEST(BroadcastDims, DifferentSizesAreRefusedWithBothShapesAndTheAxis) {
  EXPECT_TRUE(fails(broadcast(List{3, 4}, List{2, 4}), Code::InvalidArgument,
                    "cannot broadcast [3, 4] to [2, 4]: axis 0 is 3, wanted 2"));
  EXPECT_TRUE(
      fails(broadcast(List{4}, List{2, 3}), Code::InvalidArgument, "cannot broadcast [4] to [2, 3]: axis 0 is 4, wanted 3"));
  EXPECT_TRUE(fails(broadcast(List{2, 3, 4}, List{5}), Code::InvalidArgument,
                    "cannot broadcast [2, 3, 4] to [5]: axis 2 is 4, wanted 5"));
  expect_refused_both_ways({2, 3}, {3, 2});
}

TEST(BroadcastDims, AResultWithTooManyElementsIsRefused) {
  const std::int64_t large = std::int64_t{1} << 30;
  expect_refused_both_ways({large, 1}, {1, large});
  EXPECT_TRUE(fails(broadcast(List{large, 1}, List{1, large}), Code::InvalidArgument, "too many elements"));
}

TEST(BroadcastDims, RanksBeyondTheInlineCapacityWork) {
  expect_both_ways(List(9, 1), {2, 3, 1, 1, 1, 1, 1, 1, 1, 5}, {2, 3, 1, 1, 1, 1, 1, 1, 1, 5});
  expect_both_ways(List(100, 1), {2}, [] {
    List dims(100, 1);
    dims.back() = 2;
    return dims;
  }());
}

TEST(BroadcastDims, RandomShapesFollowTheRuleAxisByAxis) {
  Random random;
  for (int round = 0; round < 20000; ++round) {
    List a(random.below(6));
    List b(random.below(6));
    for (auto& dim : a) dim = random.between(0, 3);
    for (auto& dim : b) dim = random.one_in(3) ? 1 : random.between(0, 3);
    const std::size_t rank = std::max(a.size(), b.size());
    List expected(rank);
    bool possible = true;
    for (std::size_t back = 1; back <= rank; ++back) {
      const std::int64_t x = back <= a.size() ? a[a.size() - back] : 1;
      const std::int64_t y = back <= b.size() ? b[b.size() - back] : 1;
      possible = possible && (x == y || x == 1 || y == 1);
      expected[rank - back] = x == 1 ? y : x;
    }
    if (possible) {
      expect_both_ways(a, b, expected);
    } else {
      expect_refused_both_ways(a, b);
    }
  }
}

}  // namespace
}  // namespace broadloom::test::broadcast_dims_test
