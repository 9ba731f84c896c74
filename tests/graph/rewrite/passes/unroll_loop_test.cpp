// Unrolled loops.
#include "support/pass_graphs.h"

namespace broadloom::test::unroll_loop_test {
namespace {

using enum AttributeType;

TEST(ALoop, IsUnrolledOnRequest) {
  const Graph graph = doubling(3);
  EXPECT_EQ(simplify(graph).count(PassKind::unroll), 0);
  Wish wish;
  wish.unroll = 3;
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(result.count(PassKind::unroll), 1);
  EXPECT_EQ(listing(result).find("Loop"), std::string::npos) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(true)}}));
}

TEST(ALoop, WithMoreIterationsThanTheLimitStays) {
  Wish wish;
  wish.unroll = 2;
  EXPECT_EQ(simplify(doubling(3), wish).count(PassKind::unroll), 0);
}

TEST(ALoop, ThatGrowsByMoreThanTheLimitStays) {
  Wish wish;
  wish.unroll = 1000;
  wish.growth = 2000;
  const Graph graph = doubling(1000);
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(result.count(PassKind::unroll), 0);
  EXPECT_GT(result.work->progress().too_large, 0);
  EXPECT_LE(result.bytes.size(), model(graph).size() + 2000);
}

TEST(ALoop, ThatMayEndEarlyStays) {
  Graph graph = doubling(3);
  const Graph body{{node("Add", {"v", "v"}, {"w"}), node("ReduceMax", {"w"}, {"m"}, {int_of("keepdims", 0)}),
                    node("Less", {"m", "k"}, {"on"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("on"), any("w"), any("w")}};
  graph.nodes = {node("Loop", {"trips", "", "x"}, {"y", "s"}, {graph_of("body", body)})};
  graph.initializers.push_back(float_tensor({}, {3}, "k"));
  Wish wish;
  wish.unroll = 10;
  EXPECT_EQ(simplify(graph, wish).count(PassKind::unroll), 0);
  EXPECT_EQ(simplify(doubling(3, {}, "c"), wish).count(PassKind::unroll), 0) << "an input says whether it begins";
}

TEST(ALoop, WithoutIterationsReturnsItsStates) {
  const Graph body{{node("Add", {"v", "v"}, {"w"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("go"), any("w")}};
  const Graph graph{
      {node("Neg", {"x"}, {"a"}), node("Loop", {"trips", "", "a"}, {"b"}, {graph_of("body", body)}), node("Abs", {"b"}, {"y"})},
      {value_info("x", Dtype::float32, {2})},
      {any("y")},
      {int64_tensor({}, {0}, "trips")}};
  Wish wish;
  wish.unroll = 1;
  EXPECT_EQ(listing(simplify(graph, wish)), "a = Neg(x); y = Abs(a)");
}

TEST(ALoop, WithoutIterationsAndWithScanOutputsStays) {
  Wish wish;
  wish.unroll = 1;
  const Graph graph = doubling(0);
  const Simplified result = simplify(graph, wish);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(true)}}));
}

TEST(AScan, WithoutIterationsHasTheDeclaredDims) {
  // Without iterations, only the declaration of `item` gives its two additional axes.
  const Graph body{{node("Identity", {"two_by_two"}, {"item"})}, {any("v")}, {any("item")}};
  for (const bool is_declared : {false, true}) {
    Graph own = body;
    if (is_declared) own.outputs = {value_info("item", Dtype::float32, {2, 2})};
    const Graph graph{{node("Scan", {"x"}, {"y"}, {graph_of("body", own), int_of("num_scan_inputs", 1)})},
                      {value_info("x", Dtype::float32, {"n"})},
                      {any("y")},
                      {float_tensor({2, 2}, {1, 2, 3, 4}, "two_by_two")}};
    for (const bool writes_all : {false, true}) {
      Wish wish;
      wish.value_info = writes_all;
      const Simplified result = simplify(graph, wish);
      EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", floats({0}, {})}}));
      EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
    }
  }
}

TEST(ALoop, ThatReadsItsIterationNumberAndHasSubgraphsIsUnrolled) {
  const Graph even{
      {node("Add", {"v", "k"}, {"a"}), node("Constant", {}, {"t"}, {attribute("value_floats", FLOATS).fixed(7, 2.0F)}),
       node("Mul", {"a", "t"}, {"b"})},
      {},
      {any("b")},
      {float_tensor({2}, {1, 1}, "k")}};
  const Graph odd{{node("Neg", {"v"}, {"a"})}, {}, {any("a")}};
  const Graph body{{node("Mod", {"i", "two"}, {"r"}), node("Cast", {"r"}, {"b"}, {int_of("to", 9)}),
                    branches({"w"}, odd, even, "b"), branches({"u"}, even, odd, "c")},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("go"), any("w"), any("u")}};
  const Graph graph{{node("Loop", {"trips", "", "x"}, {"y", "s"}, {graph_of("body", body)})},
                    x_and_flag,
                    {any("y"), any("s")},
                    {int64_tensor({}, {4}, "trips"), int64_tensor({}, {2}, "two")}};
  Wish wish;
  wish.unroll = 8;
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(result.count(PassKind::unroll), 1);
  EXPECT_EQ(result.count(PassKind::branch), 4) << listing(result);
  for (const bool holds : {true, false}) {
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(holds)}}));
  }
}

TEST(ALoop, UnrolledInOldOpsetsComputesTheSame) {
  for (const std::int64_t opset : {7, 11, 13, 16, 21}) {
    Wish wish;
    wish.unroll = 3;
    const std::string file = model(doubling(3), opset);
    const Simplified result = simplify(file, wish);
    EXPECT_EQ(result.count(PassKind::unroll), 1) << opset;
    EXPECT_TRUE(gives_the_same(file, result, {{"x", two}, {"c", flag(true)}})) << opset;
  }
}

TEST(ALoop, InALoopIsUnrolled) {
  const Graph inner{{node("Add", {"p", "v"}, {"q"})},
                    {value_info("j", Dtype::int64, {}), value_info("going", Dtype::boolean, {}), any("p")},
                    {any("going"), any("q"), any("j")}};
  const Graph body{{node("Loop", {"trips", "", "v"}, {"w", "js"}, {graph_of("body", inner)})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("go"), any("w"), any("js")}};
  const Graph graph{{node("Loop", {"trips", "", "x"}, {"y", "s"}, {graph_of("body", body)})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y"), any("s")},
                    {int64_tensor({}, {2}, "trips")}};
  Wish wish;
  wish.unroll = 2;
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(listing(result).find("Loop"), std::string::npos) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(AScan, Stays) {
  const Graph body{
      {node("Add", {"v", "e"}, {"w"}), node("Identity", {"w"}, {"o"})}, {any("v"), any("e")}, {any("w"), any("o")}};
  const Graph graph{{node("Scan", {"x", "m"}, {"y", "s"}, {graph_of("body", body), int_of("num_scan_inputs", 1)})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y"), any("s")},
                    {float_tensor({3, 2}, {1, 2, 3, 4, 5, 6}, "m")}};
  Wish wish;
  wish.unroll = 8;
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(result.count(PassKind::unroll), 0);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

}  // namespace
}  // namespace broadloom::test::unroll_loop_test
