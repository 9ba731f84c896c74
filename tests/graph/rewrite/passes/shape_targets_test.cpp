// Computed targets of Reshape and Expand.
#include "support/pass_graphs.h"

namespace broadloom::test::shape_targets_test {
namespace {

TEST(ATarget, WithOneUnknownSizeHasAMinusOne) {
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Concat", {"one", "m", "n"}, {"t"}, {int_of("axis", 0)}));
  nodes.push_back(node("Reshape", {"x", "t"}, {"y"}));
  const Graph graph = through(nodes, places);
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  const Names left = initializers_of(result.graph());
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(elements<std::int64_t>(constant_named(result, left[0])), (List{1, 3, -1}));
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
  EXPECT_EQ(result.count(PassKind::shape), 1);
}

TEST(ATarget, CopiesSizesAtTheSamePosition) {
  const Proto x = value_info("x", Dtype::float32, {"n", "m", 4});
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Concat", {"n", "m", "two", "two"}, {"t"}, {int_of("axis", 0)}));
  nodes.push_back(node("Reshape", {"x", "t"}, {"y"}));
  std::vector<Proto> initializers = places;
  initializers.push_back(int64_tensor({1}, {2}, "two"));
  const Graph graph = through(nodes, initializers, x);
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  const Names left = initializers_of(result.graph());
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(elements<std::int64_t>(constant_named(result, left[0])), (List{0, 0, 2, 2}));
  for (const List& dims : {List{2, 3, 4}, List{0, 2, 4}, List{0, 0, 4}}) {
    const Tensor zeros = test::zeros(Dtype::float32, dims_of(dims));
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", zeros}})) << testing::PrintToString(dims);
  }
}

TEST(ATarget, WithTwoUnknownSizesAtOtherPositionsStays) {
  const Proto x = value_info("x", Dtype::float32, {"n", "m"});
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Concat", {"m", "n"}, {"t"}, {int_of("axis", 0)}));
  nodes.push_back(node("Reshape", {"x", "t"}, {"y"}));
  const Graph graph = through(nodes, places, x);
  const Simplified result = simplify(graph);
  EXPECT_GT(result.graph().order.size(), 2U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(AnExpand, ToTheShapeOfItsOwnInputIsRemoved) {
  const Graph graph = through(
      {node("Neg", {"x"}, {"a"}), node("Shape", {"x"}, {"s"}), node("Expand", {"a", "s"}, {"b"}), node("Neg", {"b"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Neg(a)");
}

TEST(AnExpand, ThatAddsAxesToItsOwnSizesHasAConstantTarget) {
  const std::vector<Proto> initializers{int64_tensor({2}, {5, 1}, "more")};
  const Graph graph = through({node("Shape", {"x"}, {"s"}), node("Concat", {"more", "s"}, {"t"}, {int_of("axis", 0)}),
                               node("Expand", {"x", "t"}, {"y"})},
                              initializers);
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

}  // namespace
}  // namespace broadloom::test::shape_targets_test
