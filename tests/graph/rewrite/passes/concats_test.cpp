// Concats of Concats.
#include "support/pass_graphs.h"

namespace broadloom::test::concats_test {
namespace {

TEST(Concats, OfManyAreMergedUpToALimit) {
  std::vector<Proto> nodes;
  std::string last = "x";
  for (int i = 0; i < 2000; ++i) {
    const std::string name = i == 1999 ? "y" : "c" + std::to_string(i);
    nodes.push_back(node("Concat", {last, "x"}, {name}, {int_of("axis", 0)}));
    last = name;
  }
  const Graph graph = through(nodes);
  const Simplified result = simplify(graph);
  EXPECT_LT(result.graph().order.size(), 100U);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(Concats, AlongOtherAxesOrWithOtherReadersStay) {
  const auto join = [](const Names& from, const char* name, int axis) {
    return node("Concat", from, {name}, {int_of("axis", axis)});
  };
  const char* stays = "a = Concat(x, x); y = Concat(a, x)";
  const Proto square = value_info("x", Dtype::float32, {3, 3});
  EXPECT_EQ(listing(simplify(through({join({"x", "x"}, "a", 0), join({"a", "a"}, "y", 1)}, {}, square))),
            "a = Concat(x, x); y = Concat(a, a)");
  Graph graph = through({join({"x", "x"}, "a", 0), join({"a", "x"}, "y", 0)}, {}, square);
  EXPECT_EQ(listing(simplify(graph)), "y = Concat(x, x, x)");
  graph.outputs.push_back(value_info("a", Dtype::float32));
  EXPECT_EQ(listing(simplify(graph)), stays);
}

}  // namespace
}  // namespace broadloom::test::concats_test
