// Loops and Scans over constants.
#include "support/pass_graphs.h"

namespace broadloom::test::fold_constants_test {
namespace {

using enum AttributeType;

TEST(ALoop, OverConstantsIsFolded) {
  // The powers of k below 100: the Loop ends early. The body reads an outer constant, and has one of its own.
  const Graph body{{node("Mul", {"v", "k"}, {"w"}), node("Less", {"w", "most"}, {"on"}), node("Neg", {"w"}, {"item"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("on"), any("w"), any("item")},
                   {float_tensor({}, {100}, "most")}};
  const Graph graph{
      {node("Loop", {"", "", "one"}, {"last", "list"}, {graph_of("body", body)}), node("Mul", {"x", "last"}, {"y"})},
      {value_info("x", Dtype::float32, {2})},
      {any("y"), any("list")},
      {float_tensor({}, {1}, "one"), float_tensor({}, {3}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.count(PassKind::fold), 0) << "one of its outputs is the graph's: it stays";
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
  Graph other = graph;
  other.nodes.push_back(node("Expand", {"list", "six"}, {"z"}));
  other.outputs = {any("y"), any("z")};
  other.initializers.push_back(int64_tensor({2}, {3, 5}, "six"));
  const Simplified computed = simplify(other);
  EXPECT_EQ(listing(computed), "y = Mul(x, last); z = Constant()");
  EXPECT_TRUE(gives_the_same(model(other), computed, {{"x", two}}));
}

TEST(ALoop, OverConstantsThatProducesTheOnlyOutputBecomesAConstant) {
  const Graph loop_body{{node("Mul", {"v", "k"}, {"w"})},
                        {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                        {any("go"), any("w")}};
  const Graph scan_body{{node("Mul", {"v", "k"}, {"w"})}, {any("v")}, {any("w")}};
  for (const Proto& made : {node("Loop", {"trips", "", "k"}, {"y"}, {graph_of("body", loop_body)}),
                            node("Scan", {"list"}, {"y"}, {graph_of("body", scan_body), int_of("num_scan_inputs", 1)})}) {
    const Graph graph{{made},
                      {},
                      {any("y")},
                      {int64_tensor({}, {3}, "trips"), float_tensor({}, {2}, "k"), float_tensor({2}, {5, 7}, "list")}};
    const Simplified result = simplify(graph);
    EXPECT_EQ(listing(result), "y = Constant()");
    EXPECT_TRUE(gives_the_same(model(graph), result, {}));
  }
}

TEST(ALoop, OverConstantsInALoopIsFolded) {
  const Graph inner{{node("Mul", {"p", "k"}, {"q"})},
                    {value_info("j", Dtype::int64, {}), value_info("going", Dtype::boolean, {}), any("p")},
                    {any("going"), any("q")}};
  const Graph body{{node("Loop", {"trips", "", "k"}, {"w"}, {graph_of("body", inner)}), node("Add", {"v", "w"}, {"s"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("go"), any("s")}};
  const Graph graph{{node("Loop", {"trips", "", "x"}, {"y"}, {graph_of("body", body)})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y")},
                    {int64_tensor({}, {3}, "trips"), float_tensor({}, {2}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.count(PassKind::fold), 1);
  EXPECT_EQ(listing(result), "y = Loop(trips, -, x) body {s = Add(v, w)}");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(ALoop, ThatReadsAnInputOrIsRandomIsNotFolded) {
  for (const char* other : {"x", "r"}) {
    const Graph body{{node("RandomNormal", {}, {"r"}, {ints_of("shape", {2})}), node("Add", {"v", other}, {"w"})},
                     {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                     {any("go"), any("w")}};
    const Graph graph{{node("Loop", {"trips", "", "k"}, {"y"}, {graph_of("body", body)})},
                      {value_info("x", Dtype::float32, {2})},
                      {any("y")},
                      {int64_tensor({}, {3}, "trips"), float_tensor({2}, {2, 1}, "k")}};
    EXPECT_NE(listing(simplify(graph)).find("Loop"), std::string::npos) << other;
  }
}

TEST(ALoop, ThatTakesTooLongIsNotFolded) {
  const Graph body{
      {}, {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")}, {any("go"), any("v")}};
  const auto count_of = [&](std::int64_t trips) {
    const Graph graph{{node("Loop", {"trips", "", "k"}, {"w"}, {graph_of("body", body)}), node("Mul", {"x", "w"}, {"y"})},
                      {value_info("x", Dtype::float32, {2})},
                      {any("y")},
                      {int64_tensor({}, {trips}, "trips"), float_tensor({}, {2}, "k")}};
    const Simplified result = simplify(graph);
    EXPECT_TRUE(trips > 1000 || gives_the_same(model(graph), result, {{"x", two}}));
    EXPECT_EQ(result.work->progress().too_large, trips > 1000 ? 1 : 0);
    return result.count(PassKind::fold);
  };
  EXPECT_EQ(count_of(1000), 1);
  EXPECT_EQ(count_of(INT64_MAX), 0);
}

TEST(AScan, OverConstantsIsFolded) {
  const Graph body{
      {node("Add", {"v", "e"}, {"w"}), node("Identity", {"w"}, {"o"})}, {any("v"), any("e")}, {any("w"), any("o")}};
  const Graph graph{{node("Scan", {"k", "m"}, {"w", "s"}, {graph_of("body", body), int_of("num_scan_inputs", 1)}),
                     node("Add", {"x", "s"}, {"y"})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y")},
                    {float_tensor({3, 2}, {1, 2, 3, 4, 5, 6}, "m"), float_tensor({2}, {7, 8}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Add(x, s)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(BitCast, OfConstantsIsFoldedToTheSameBits) {
  const Graph graph{{node("BitCast", {"k"}, {"b"}, {int_of("to", 1)}), node("Add", {"x", "b"}, {"y"})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y")},
                    {tensor_header(Dtype::int32, {2}, "k").packed_varints(5, {0x3F800000, 0x40000000})}};
  const Simplified result = simplify(graph, {}, 26);
  EXPECT_EQ(listing(result), "y = Add(x, b)");
  EXPECT_TRUE(gives_the_same(model(graph, 26), result, {{"x", two}}));
}

}  // namespace
}  // namespace broadloom::test::fold_constants_test
