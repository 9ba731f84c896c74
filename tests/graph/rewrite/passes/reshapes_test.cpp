// Consecutive Reshapes.
#include "support/pass_graphs.h"

namespace broadloom::test::reshapes_test {
namespace {

TEST(Reshapes, InARowAreMerged) {
  const Graph graph = through({node("Reshape", {"x", "k"}, {"a"}), node("Reshape", {"a", "m"}, {"y"})},
                              {int64_tensor({3}, {3, -1, 1}, "k"), int64_tensor({2}, {-1, 1}, "m")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Reshape(x, m)");
  EXPECT_EQ(initializers_of(result.graph()), Names{"m"});
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(Reshapes, WithACopiedSizeInTheSecondComputeTheSame) {
  const Graph graph = through({node("Reshape", {"x", "k"}, {"a"}), node("Reshape", {"a", "m"}, {"y"})},
                              {int64_tensor({3}, {3, -1, 1}, "k"), int64_tensor({2}, {0, -1}, "m")});
  EXPECT_TRUE(gives_the_same(model(graph), simplify(graph), {{"x", six}}));
}

TEST(Reshapes, BackToTheFirstShapeAreRemoved) {
  const Graph graph =
      through({node("Neg", {"x"}, {"a"}), node("Reshape", {"a", "k"}, {"b"}), node("Unsqueeze", {"b", "first"}, {"c"}),
               node("Reshape", {"c", "m"}, {"d"}), node("Neg", {"d"}, {"y"})},
              {int64_tensor({1}, {-1}, "k"), int64_tensor({1}, {0}, "first"), int64_tensor({2}, {-1, 3}, "m")});
  const Simplified result = simplify(graph);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
  EXPECT_LE(result.graph().order.size(), 3U) << listing(result);
}

}  // namespace
}  // namespace broadloom::test::reshapes_test
