// Slices to the end of their axis.
#include "support/pass_graphs.h"

namespace broadloom::test::slices_test {
namespace {

TEST(ASlice, ToTheSizeOfItsAxisGetsAConstantEnd) {
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Slice", {"x", "one", "n", "zero"}, {"y"}));
  const Graph graph = through(nodes, places);
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(ASlice, BackwardsFromTheSizeOfItsAxisStays) {
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Slice", {"x", "n", "minus", "zero", "minus"}, {"y"}));
  std::vector<Proto> initializers = places;
  initializers.push_back(int64_tensor({1}, {-1}, "minus"));
  const Graph graph = through(nodes, initializers);
  EXPECT_TRUE(gives_the_same(model(graph), simplify(graph), {{"x", six}}));
}

TEST(ASlice, ToTheGreatestInt32IsTheWholeAxis) {
  const Graph graph =
      through({node("Slice", {"x", "from", "end"}, {"s"}), node("Shape", {"s"}, {"y"})},
              {int64_tensor({1}, {0}, "from"), int64_tensor({1}, {INT32_MAX}, "end")}, value_info("x", Dtype::float32, {"n"}));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Shape(x)");
  const Tensor one = floats({1}, {1});
  const Tensor wide(Dtype::float32, uniform_layout({3'000'000'000}), one.storage);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", wide}}));
}

}  // namespace
}  // namespace broadloom::test::slices_test
