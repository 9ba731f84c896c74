#include "core/layout.h"

#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test::layout_test {
namespace {

TEST(DenseLayout, StridesAreTheProductsOfTheInnerDims) {
  EXPECT_EQ(list(dense_layout({2, 3, 4})->strides), (List{12, 4, 1}));
  EXPECT_EQ(list(dense_layout({5})->strides), (List{1}));
  EXPECT_EQ(list(dense_layout({2, 3, 4})->dims), (List{2, 3, 4}));
  EXPECT_EQ(dense_layout({2, 3, 4})->count(), 24);
}

TEST(DenseLayout, AScalarHasNoStrides) {
  EXPECT_EQ(list(dense_layout({})->strides), List{});
  EXPECT_EQ(dense_layout({})->count(), 1);
}

TEST(DenseLayout, AZeroSizeAxisLeavesNoStrideZeroBehind) {
  EXPECT_EQ(list(dense_layout({2, 0, 3})->strides), (List{3, 3, 1}));
  EXPECT_EQ(dense_layout({2, 0, 3})->count(), 0);
}

TEST(VectorLayout, IsDenseAndSharedWhereItIsShort) {
  for (const std::int64_t size : {0, 1, 5, 8, 9, 100}) {
    const LayoutRef layout = vector_layout(size);
    EXPECT_EQ(list(layout->dims), List{size});
    EXPECT_EQ(list(layout->strides), List{1});
    EXPECT_EQ(&*layout == &*vector_layout(size), size <= 8) << size;
  }
}

TEST(VectorLayout, WhoMakesItsLayoutDenseLeavesTheSharedOneAlone) {
  LayoutRef layout = vector_layout(3);
  layout.make_dense();
  EXPECT_NE(&*layout, &*vector_layout(3));
}

TEST(UniformLayout, AllStridesAreZero) {
  const Layout layout = uniform_layout({2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(list(layout.strides), List(9, 0));
  EXPECT_EQ(list(layout.dims), (List{2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(IsDense, ADenseLayoutIs) {
  EXPECT_TRUE(is_dense(dense_layout({2, 3, 4})));
  EXPECT_TRUE(is_dense(dense_layout({})));
  EXPECT_TRUE(is_dense(dense_layout({1, 1})));
}

TEST(IsDense, AStretchedTransposedOrGappedLayoutIsNot) {
  EXPECT_FALSE(is_dense(uniform_layout({2})));
  EXPECT_FALSE(is_dense({{2, 3}, {0, 1}}));
  EXPECT_FALSE(is_dense({{2, 3}, {1, 2}}));
  EXPECT_FALSE(is_dense({{2, 3}, {4, 1}}));
  EXPECT_FALSE(is_dense({{4}, {2}}));
}

TEST(IsDense, StridesOfAxesOfSizeOneDoNotMatter) {
  EXPECT_TRUE(is_dense({{1, 3, 1}, {0, 1, 77}}));
  EXPECT_TRUE(is_dense({{3, 1, 2}, {2, -5, 1}}));
  EXPECT_TRUE(is_dense(uniform_layout({1, 1, 1})));
}

TEST(IsDense, ALayoutWithoutElementsIsDenseForAnyStrides) {
  EXPECT_TRUE(is_dense(uniform_layout({2, 0})));
  EXPECT_TRUE(is_dense(uniform_layout({0, 2})));
  EXPECT_TRUE(is_dense({{2, 0, 5}, {9, 9, 9}}));
}

TEST(SpanOf, ALayoutWithoutElementsReachesNothing) {
  const Span span = span_of({{0, 3}, {-7, 5}});
  EXPECT_EQ(span.lowest, 0);
  EXPECT_EQ(span.highest, 0);
}

TEST(BroadcastTo, StretchedAxesHaveStrideZeroAndOthersKeepTheirs) {
  const Layout stretched = broadcast_to(dense_layout({3, 1, 2}), {3, 4, 2});
  EXPECT_EQ(list(stretched.dims), (List{3, 4, 2}));
  EXPECT_EQ(list(stretched.strides), (List{2, 0, 1}));
}

TEST(BroadcastTo, NewLeadingAxesHaveStrideZero) {
  EXPECT_EQ(list(broadcast_to(dense_layout({2}), {5, 4, 2})->strides), (List{0, 0, 1}));
  EXPECT_EQ(list(broadcast_to(dense_layout({}), {5, 4})->strides), (List{0, 0}));
}

TEST(BroadcastTo, OneElementBroadcastsToAnyDims) {
  EXPECT_EQ(broadcast_to(dense_layout({1}), {})->strides.size(), 0U);
  EXPECT_EQ(list(broadcast_to(dense_layout({1, 1, 1}), {2, 3})->strides), (List{0, 0}));
}

TEST(BroadcastTo, TheSameDimsGiveTheSameLayout) {
  const Layout layout{{2, 3}, {1, 2}};
  EXPECT_EQ(list(broadcast_to(layout, {2, 3})->strides), (List{1, 2}));
}

List flat(const MergedAxes& merged) {
  List values;
  for (const Axis& axis : merged.values()) values.insert(values.end(), {axis.extent, axis.stride});
  return values;
}

TEST(MergeAxes, ADenseLayoutBecomesOneAxis) { EXPECT_EQ(flat(merge_axes(dense_layout({2, 3, 4}))), (List{24, 1})); }

TEST(MergeAxes, AScalarHasNoAxis) { EXPECT_EQ(merge_axes(dense_layout({})).rank, 0U); }

TEST(MergeAxes, AxesOfSizeOneVanishWhateverTheirStrides) {
  EXPECT_EQ(merge_axes({{1, 1, 1}, {5, 0, -3}}).rank, 0U);
  EXPECT_EQ(flat(merge_axes({{2, 1, 3}, {3, 99, 1}})), (List{6, 1}));
  EXPECT_EQ(flat(merge_axes({{1, 4, 1}, {7, 2, 7}})), (List{4, 2}));
}

TEST(MergeAxes, NeighboursOfStrideZeroMerge) { EXPECT_EQ(flat(merge_axes(uniform_layout({2, 3, 5}))), (List{30, 0})); }

TEST(MergeAxes, AStretchedAxisStaysApartFromADenseInner) { EXPECT_EQ(flat(merge_axes({{4, 3}, {0, 1}})), (List{4, 0, 3, 1})); }

TEST(MergeAxes, AStretchedInnerAxisStaysApart) { EXPECT_EQ(flat(merge_axes({{4, 3}, {1, 0}})), (List{4, 1, 3, 0})); }

TEST(MergeAxes, ATransposedPairStaysApart) { EXPECT_EQ(flat(merge_axes({{2, 3}, {1, 2}})), (List{2, 1, 3, 2})); }

TEST(MergeAxes, AGappedRowMergesWithAnOuterAxisOfTheSameStep) {
  EXPECT_EQ(flat(merge_axes({{3, 4}, {8, 2}})), (List{12, 2}));
  EXPECT_EQ(flat(merge_axes({{3, 4}, {9, 2}})), (List{3, 9, 4, 2}));
}

TEST(MergeAxes, ReversedAxesMergeWhereTheirStepsAgree) {
  EXPECT_EQ(flat(merge_axes({{3, 4}, {-4, -1}})), (List{12, -1}));
  EXPECT_EQ(flat(merge_axes({{3, 4}, {-8, -2}})), (List{12, -2}));
  EXPECT_EQ(flat(merge_axes({{2, 1, 3, 4}, {-12, 5, -4, -1}})), (List{24, -1}));
}

TEST(MergeAxes, AxesOfDifferentDirectionsStayApart) {
  EXPECT_EQ(flat(merge_axes({{3, 4}, {-4, 1}})), (List{3, -4, 4, 1}));
  EXPECT_EQ(flat(merge_axes({{3, 4}, {4, -1}})), (List{3, 4, 4, -1}));
  EXPECT_EQ(flat(merge_axes({{3, 4}, {0, -1}})), (List{3, 0, 4, -1}));
  EXPECT_EQ(flat(merge_axes({{3, 4}, {-1, 0}})), (List{3, -1, 4, 0}));
}

TEST(MergeAxes, OnlyNeighboursWhoseStridesAgreeMerge) {
  // Two dense outer axes, a stretched one, two dense inner axes.
  EXPECT_EQ(flat(merge_axes({{2, 3, 5, 4, 2}, {24, 8, 0, 2, 1}})), (List{6, 8, 5, 0, 8, 1}));
}

TEST(MergeAxes, SupportsTheMostAxesOfACountBelowTheLimit) {
  // 52 axes of size 2 that cannot merge: every other one is stretched.
  Dims dims(52, 2);
  Dims strides(52);
  for (std::size_t i = 0; i < 52; i += 2) strides[i] = static_cast<std::int64_t>(52 - i);
  ASSERT_TRUE(succeeds(checked_count(dims)));
  EXPECT_EQ(merge_axes({dims, strides}).rank, 52U);
}

TEST(OrderOfAxes, TheLargestStrideIsFirstAndEqualOnesKeepTheirOrder) {
  const auto order = [](const Dims& dims, const Dims& strides) {
    const Dims found = order_of_axes({dims, strides});
    return std::vector<std::int64_t>(found.begin(), found.end());
  };
  EXPECT_EQ(order({2, 3, 4}, {1, 8, 2}), (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(order({2, 3, 4}, {0, 0, 0}), (std::vector<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace broadloom::test::layout_test
