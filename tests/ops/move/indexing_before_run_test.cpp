// Dims and elements of Gather, Scatter, Compress and similar operators before a run.
#include "support/before_run.h"

namespace broadloom::op {
extern const Operator compress, gather, gather_elements, gather_nd, non_zero, one_hot, scatter, scatter_elements, scatter_nd,
    top_k, unique, where;
}

namespace broadloom::test::indexing_before_run_test {
namespace {

TEST_F(BeforeRun, GatherReplacesTheAxisByTheDimsOfIndices) {
  EXPECT_EQ(sizes(gather, {known({3, n(), 4}), indices({m(), 2})}, {int_attribute("axis", 1)}), "3 m 2 4");
  EXPECT_EQ(sizes(gather, {known({3, n()}), indices({})}), "n");
  EXPECT_EQ(sizes(gather, {unranked(), indices({2})}), "unknown");
  EXPECT_EQ(sizes(gather, {known({3}), unranked(Dtype::int64)}), "unknown");
  EXPECT_EQ(sizes(gather, {known({3}), indices({2})}, {int_attribute("axis", 1)}), "error");
}

TEST_F(BeforeRun, GatherMovesAnElementThatIsAnExpression) {
  const Tensor shape = int64s({3}, {7, n(), m()});
  EXPECT_EQ(sizes(gather, {shape, int64s({}, {-2})}), "");
  ASSERT_TRUE(outputs_[0].has_elements());
  EXPECT_EQ(*reinterpret_cast<const Size*>(outputs_[0].data()), n());
  // A symbolic index does not determine the element.
  EXPECT_EQ(sizes(gather, {shape, int64s({}, {n()})}), "");
  EXPECT_FALSE(outputs_[0].has_elements());
}

TEST_F(BeforeRun, GatherElementsHasTheDimsOfIndices) {
  EXPECT_EQ(sizes(gather_elements, {known({3, n()}), indices({m(), 2})}), "m 2");
  EXPECT_EQ(sizes(gather_elements, {known({3, n()}), unranked(Dtype::int64)}), "? ?");
  EXPECT_EQ(sizes(gather_elements, {unranked(), indices({m(), 2})}), "m 2");
  EXPECT_EQ(sizes(gather_elements, {known({3, 1}), indices({n(), 2})}), "error");
  EXPECT_EQ(sizes(gather_elements, {known({3}), indices({n(), 2})}), "error");
}

TEST_F(BeforeRun, GatherNDNeedsTheLengthOfItsTuples) {
  EXPECT_EQ(sizes(gather_nd, {known({3, n(), 4}), indices({m(), 2})}), "m 4");
  EXPECT_EQ(sizes(gather_nd, {known({n(), 3, 4}), indices({m(), 5, 1})}, {int_attribute("batch_dims", 1)}), "m 5 4");
  EXPECT_EQ(sizes(gather_nd, {known({3, 3}), indices({2, n()})}), "unknown");
  EXPECT_EQ(sizes(gather_nd, {unranked(), indices({2, 1})}), "unknown");
  EXPECT_EQ(sizes(gather_nd, {known({3, 3}), indices({2, 3})}), "error");
}

TEST_F(BeforeRun, ScattersHaveTheDimsOfData) {
  for (const Operator* op : {&scatter_elements, &scatter}) {
    const std::int64_t opset = op == &scatter ? 9 : 18;
    EXPECT_EQ(sizes(*op, {known({3, n()}), indices({m(), 2}), known({m(), 2})}, {}, 1, opset), "3 n");
    EXPECT_EQ(sizes(*op, {known({3, n()}), unranked(Dtype::int64), unranked()}, {}, 1, opset), "3 n");
    EXPECT_EQ(sizes(*op, {known({3, 4}), indices({1, 2}), known({1, 3})}, {}, 1, opset), "error");
  }
  EXPECT_EQ(sizes(scatter_nd, {known({3, n()}), indices({m(), 1}), known({m(), n()})}), "3 n");
  EXPECT_EQ(sizes(scatter_nd, {unranked(), indices({m(), 1}), known({m(), n()})}), "unknown");
  EXPECT_EQ(sizes(scatter_nd, {known({3, 4}), indices({2, 1}), known({2, 5})}), "error");
}

TEST_F(BeforeRun, WhereBroadcastsKnownDims) {
  EXPECT_EQ(sizes(where, {known({n(), 1}, Dtype::boolean), known({3}), known({})}), "n 3");
  EXPECT_EQ(sizes(where, {known({n()}, Dtype::boolean), known({m()}), known({})}), "?");
  EXPECT_EQ(sizes(where, {known({n()}, Dtype::boolean), unranked(), known({})}), "unknown");
  EXPECT_EQ(sizes(where, {known({2}, Dtype::boolean), known({3}), known({})}), "error");
}

TEST_F(BeforeRun, SizesThatARunCountsAreUnknown) {
  EXPECT_EQ(sizes(non_zero, {known({n(), 3})}), "2 ?");
  EXPECT_EQ(sizes(non_zero, {int64s({2}, {n(), 0})}), "1 ?");
  EXPECT_EQ(sizes(non_zero, {unranked()}), "? ?");
  EXPECT_EQ(sizes(compress, {known({n(), 3}), known({m()}, Dtype::boolean)}, {int_attribute("axis", 1)}), "n ?");
  EXPECT_EQ(sizes(compress, {known({n(), 3}), known({m()}, Dtype::boolean)}), "?");
  EXPECT_EQ(sizes(compress, {unranked(), known({m()}, Dtype::boolean)}), "?");
  EXPECT_EQ(sizes(compress, {unranked(), known({m()}, Dtype::boolean)}, {int_attribute("axis", 1)}), "unknown");
  EXPECT_EQ(sizes(unique, {known({n(), 3})}, {}, 4), "?; ?; 3*n; ?");
  EXPECT_EQ(sizes(unique, {known({n(), 3})}, {int_attribute("axis", 0)}, 3), "? 3; ?; n");
  EXPECT_EQ(sizes(unique, {unranked()}, {int_attribute("axis", 0)}, 2), "unknown; ?");
  EXPECT_EQ(sizes(unique, {unranked()}, {}, 3), "?; ?; ?");
}

TEST_F(BeforeRun, OneHotTakesASizeAsItsDepth) {
  const Tensor values = known({2});
  EXPECT_EQ(sizes(one_hot, {indices({n(), 3}), int64s({1}, {m()}), values}), "n 3 m");
  EXPECT_EQ(sizes(one_hot, {indices({n(), 3}), int64s({}, {7}), values}, {int_attribute("axis", 0)}), "7 n 3");
  EXPECT_EQ(sizes(one_hot, {indices({n()}), indices({}), values}), "n ?");
  EXPECT_EQ(sizes(one_hot, {indices({n()}), int64s({}, {expressions_.subtract(n(), 1)}), values}), "n ?");
  EXPECT_EQ(sizes(one_hot, {unranked(Dtype::int64), indices({}), values}), "unknown");
  EXPECT_EQ(sizes(one_hot, {indices({n()}), indices({}), known({3})}), "error");
}

TEST_F(BeforeRun, TopKTakesASizeAsK) {
  const SizeList dims{n(), 5};
  EXPECT_EQ(sizes(top_k, {known(dims), int64s({1}, {m()})}, {}, 2), "n m; n m");
  EXPECT_EQ(sizes(top_k, {known(dims), int64s({1}, {2})}, {int_attribute("axis", 0)}, 2), "2 5; 2 5");
  EXPECT_EQ(sizes(top_k, {known(dims), indices({1})}, {}, 2), "n ?; n ?");
  EXPECT_EQ(sizes(top_k, {known(dims)}, {int_attribute("k", 3)}, 2, 1), "n 3; n 3");
  EXPECT_EQ(sizes(top_k, {known(dims), int64s({1}, {6})}, {}, 2), "error");
  EXPECT_EQ(sizes(top_k, {unranked(), int64s({1}, {6})}, {}, 2), "unknown; unknown");
}

}  // namespace
}  // namespace broadloom::test::indexing_before_run_test
