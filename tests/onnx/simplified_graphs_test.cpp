// What becomes of graphs in nodes and of functions: Ifs are decided, Loops are written out, calls are inlined.
#include "support/simplified.h"

namespace broadloom::test {
namespace {

using enum AttributeType;

Proto boolean(bool value, std::string_view name) {
  return raw_tensor(Dtype::boolean, {}, std::string(1, value ? '\1' : '\0'), name);
}
Proto branches(const Names& outputs, const Graph& then_branch, const Graph& else_branch, const char* condition = "c") {
  return node("If", {condition}, outputs, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)});
}

const Tensor two = floats({2}, {1, -2});
const std::vector<Proto> x_and_flag{value_info("x", Dtype::float32, {2}), value_info("c", Dtype::boolean, {})};

// ---- If ----

TEST(AnIf, WhoseConditionIsConstantBecomesItsBranch) {
  const Graph then_branch{{node("Neg", {"x"}, {"a"}), node("Abs", {"a"}, {"b"})}, {}, {any("b")}};
  const Graph else_branch{{node("Exp", {"x"}, {"a"})}, {}, {any("a")}};
  const Graph graph{{branches({"y"}, then_branch, else_branch)}, x_and_flag, {any("y")}};
  for (const bool holds : {true, false}) {
    Wish wish;
    wish.values = {{"c", flag(holds)}};
    const Simplified result = simplify(graph, wish);
    EXPECT_EQ(listing(result), holds ? "a = Neg(x); y = Abs(a)" : "y = Exp(x)");
    EXPECT_EQ(result.count(PassKind::branch), 1);
    EXPECT_EQ(names_of(result.graph().inputs), Names{"x"});
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(holds)}}));
  }
}

TEST(AnIf, WhoseBranchUsesNamesThatAreTakenGetsOthers) {
  // Names of a branch may come again in the graph around, after it.
  const Graph branch{
      {node("Neg", {"x"}, {"a"}), node("Add", {"a", "k"}, {"b"})}, {}, {any("b")}, {float_tensor({2}, {1, 2}, "k")}};
  const Graph other{
      {node("Exp", {"x"}, {"a"}), node("Add", {"a", "k"}, {"b"})}, {}, {any("b")}, {float_tensor({2}, {3, 4}, "k")}};
  const Graph graph{
      {branches({"p"}, branch, other, "yes"), branches({"q"}, branch, other, "no"), node("Mul", {"p", "q"}, {"y"})},
      {value_info("x", Dtype::float32, {2})},
      {any("y")},
      {boolean(true, "yes"), boolean(false, "no")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 5U) << listing(result);
  EXPECT_EQ(listing(result).find("If"), std::string::npos);
  EXPECT_EQ(initializers_of(result.graph()).size(), 2U);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(AnIf, ThatGivesWhatIsAroundItIsThat) {
  const Graph outer{{}, {}, {any("a")}};
  const Graph other{{node("Exp", {"a"}, {"e"})}, {}, {any("e")}};
  const Graph graph{{node("Neg", {"x"}, {"a"}), branches({"p"}, outer, other, "yes"), node("Abs", {"p"}, {"y"})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y")},
                    {boolean(true, "yes")}};
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Abs(a)");
}

TEST(AnIf, WhoseOutputIsTheModelsGivesAnInputOrAnInitializerByANode) {
  const Graph input{{}, {}, {any("x")}};
  const Graph constant{{}, {}, {any("k")}};
  for (const bool holds : {true, false}) {
    const Graph graph{{branches({"y"}, input, constant, "c")},
                      {value_info("x", Dtype::float32, {2})},
                      {any("y")},
                      {boolean(holds, "c"), float_tensor({2}, {3, 4}, "k")}};
    const Simplified result = simplify(graph);
    EXPECT_EQ(listing(result), holds ? "y = Identity(x)" : "y = Constant()");
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
  }
}

TEST(AnIf, OfWhichTwoOutputsAreTheSameGivesBoth) {
  const Graph branch{{node("Neg", {"x"}, {"a"})}, {}, {any("a"), any("a")}};
  const Graph graph{{branches({"y", "z"}, branch, branch, "yes")},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y"), any("z")},
                    {boolean(true, "yes")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 2U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(AnIf, WhoseBranchGivesAllOutputsOfANodeKeepsThem) {
  // Only the graph around reads the mask, and it reads what the Exp reads, too.
  const Graph then_branch{{node("Dropout", {"x"}, {"same", "mask"}), node("Neg", {"x"}, {"n"}), node("Exp", {"n"}, {"e"})},
                          {},
                          {any("mask"), any("n"), any("e"), any("same")}};
  const Graph else_branch{
      {node("Equal", {"x", "x"}, {"mask"}), node("Abs", {"x"}, {"n"})}, {}, {any("mask"), any("n"), any("n"), any("x")}};
  for (const Names& outputs : {Names{"m", "n", "e", "s"}, Names{"m", "", "e", ""}}) {
    std::vector<Proto> given;
    for (const std::string& name : outputs) {
      if (!name.empty()) given.push_back(any(name));
    }
    const Graph graph{{branches(outputs, then_branch, else_branch, "yes")},
                      {value_info("x", Dtype::float32, {2})},
                      given,
                      {boolean(true, "yes")}};
    const Simplified result = simplify(graph);
    EXPECT_EQ(listing(result).find("If"), std::string::npos) << listing(result);
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
  }
}

TEST(AnIf, WhoseBranchGivesWhatAFusionReadsKeepsIt) {
  const Graph then_branch{{node("MatMul", {"x", "x"}, {"p"}), node("Add", {"p", "k"}, {"q"})}, {}, {any("q"), any("p")}};
  const Graph else_branch{{node("Abs", {"x"}, {"q"})}, {}, {any("q"), any("x")}};
  const Graph graph{{branches({"q", "p"}, then_branch, else_branch, "yes")},
                    {value_info("x", Dtype::float32, {2, 2})},
                    {any("q"), any("p")},
                    {boolean(true, "yes"), float_tensor({2}, {1, 2}, "k")}};
  Wish wish;
  wish.fuses = true;
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(listing(result), "p = MatMul(x, x); q = Add(p, k)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", floats({2, 2}, {1, 2, 3, 4})}}));
}

TEST(AnIf, OfWhichOneBranchAlwaysFailsIsTheOther) {
  // Exporters ask for a rank, or a size, and squeeze what has one of 1.
  const Graph then_branch{{node("Squeeze", {"x", "zero"}, {"a"})}, {}, {any("a")}};
  const Graph else_branch{{node("Neg", {"x"}, {"a"})}, {}, {any("a")}};
  const Graph graph{{branches({"y"}, then_branch, else_branch)}, x_and_flag, {any("y")}, {int64_tensor({1}, {0}, "zero")}};
  // What the condition holds is an input's to say.
  EXPECT_EQ(simplify(graph).count(PassKind::branch), 0);
  Graph computed = graph;
  computed.nodes = {node("ReduceSum", {"x"}, {"r"}), node("Greater", {"r", "k"}, {"g"}), node("Squeeze", {"g"}, {"c1"}),
                    branches({"y"}, then_branch, else_branch, "c1")};
  computed.inputs.pop_back();
  computed.initializers.push_back(float_tensor({}, {0}, "k"));
  const Simplified result = simplify(computed);
  EXPECT_EQ(listing(result), "y = Neg(x)");
  EXPECT_TRUE(gives_the_same(model(computed), result, {{"x", floats({2}, {-5, -2})}}));
}

// What is left of an If whose condition is computed, and whose branches make the float16 "a" from x of float32 and "u", which
// an operator makes that nobody knows.
std::int64_t decided(const Proto& then_node, const Proto& else_node) {
  const auto branch = [](const Proto& one) { return Graph{{one}, {}, {any("a")}}; };
  Graph graph{{node("Weave", {}, {"u"}, {}, "", "custom"), node("ReduceSum", {"x"}, {"r"}, {int_of("keepdims", 0)}),
               node("Greater", {"r", "k"}, {"c"}), branches({"y"}, branch(then_node), branch(else_node), "c")},
              {value_info("x", Dtype::float32, {2})},
              {any("y")},
              {float_tensor({}, {0}, "k"), int64_tensor({2}, {0, -1}, "twice"), int64_tensor({1}, {0}, "once"),
               float_tensor({}, {1}, "scale")}};
  return must(try_simplify(model(graph, 28))).count(PassKind::branch);
}

TEST(AnIf, StaysWhereABranchIsOnlyRefusedHere) {
  const Proto copy = node("Identity", {"x"}, {"a"});
  // Other runtimes reduce along an axis that is there twice.
  EXPECT_EQ(decided(node("ReduceSum", {"x", "twice"}, {"a"}), node("ReduceSum", {"x", "once"}, {"a"})), 0);
  // Nothing is known of the type of "u".
  EXPECT_EQ(decided(node("BitCast", {"u"}, {"a"}, {int_of("to", 1)}), copy), 0);
  EXPECT_EQ(decided(node("QuantizeLinear", {"x", "scale", "u"}, {"a"}, {int_of("output_dtype", 2)}),
                    node("QuantizeLinear", {"x", "scale"}, {"a"}, {int_of("output_dtype", 2)})),
            0);
  // No runtime adds these.
  const Proto squeezed = node("Squeeze", {"x", "once"}, {"a"});
  EXPECT_EQ(decided(squeezed, copy), 1);
}

TEST(AnIf, ThatStaysHasSimplerBranches) {
  const Graph then_branch{
      {node("Identity", {"x"}, {"a"}), node("Neg", {"a"}, {"b"}), node("Abs", {"x"}, {"unread"})}, {}, {any("b")}};
  const Graph else_branch{{node("Add", {"k", "k"}, {"l"}), node("Add", {"x", "l"}, {"a"})}, {}, {any("a")}};
  const Graph graph{{branches({"y"}, then_branch, else_branch)}, x_and_flag, {any("y")}, {float_tensor({2}, {1, 2}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = If(c) then_branch {b = Neg(x)} else_branch {a = Add(x, l)}");
  for (const bool holds : {true, false}) {
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(holds)}}));
  }
}

TEST(AnIf, WhoseBranchesReadWhatIsReplacedReadsWhatReplacesIt) {
  // The outputs are known, but limits keep the node.
  const Graph branch{{node("Abs", {"i"}, {"a"})}, {}, {any("a"), any("j")}};
  const Graph graph{{node("Identity", {"x"}, {"i"}), node("Identity", {"k"}, {"j"}), branches({"y", "z"}, branch, branch)},
                    x_and_flag,
                    {any("y"), any("z")},
                    {float_tensor({2}, {1, 2}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y, z = If(c) then_branch {a = Abs(x)} else_branch {a_1 = Abs(x)}");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(true)}}));
}

TEST(WhatABranchReads, StaysThoughNoNodeAroundReadsIt) {
  const Graph then_branch{{node("Add", {"a", "k"}, {"t"})}, {}, {any("t")}};
  const Graph else_branch{{}, {}, {any("b")}};
  const Graph graph{{node("Neg", {"x"}, {"a"}), node("Exp", {"x"}, {"b"}), node("Abs", {"x"}, {"unread"}),
                     branches({"y"}, then_branch, else_branch)},
                    x_and_flag,
                    {any("y")},
                    {float_tensor({2}, {1, 2}, "k"), float_tensor({2}, {5, 6}, "left")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Neg(x); b = Exp(x); y = If(c) then_branch {t = Add(a, k)} else_branch {}");
  EXPECT_EQ(initializers_of(result.graph()), Names{"k"});
  EXPECT_EQ(result.count(PassKind::dead), 1);
  EXPECT_EQ(result.count(PassKind::unused), 1);
}

TEST(IfsInIfs, AreDecidedFromTheOutsideIn) {
  const Graph inner_then{{node("Neg", {"x"}, {"a"})}, {}, {any("a")}};
  const Graph inner_else{{node("Abs", {"x"}, {"a"})}, {}, {any("a")}};
  const Graph outer{{node("Not", {"c"}, {"d"}), branches({"i"}, inner_then, inner_else, "d")}, {}, {any("i")}};
  const Graph graph{{branches({"y"}, outer, inner_then)}, x_and_flag, {any("y")}};
  Wish wish;
  wish.values = {{"c", flag(true)}};
  const Simplified result = simplify(graph, wish);
  EXPECT_EQ(listing(result), "y = Abs(x)");
  EXPECT_EQ(result.count(PassKind::branch), 2);
}

// ---- Loop ----

// y = x doubled `trips` times; s gathers what came up.
Graph doubling(std::int64_t trips, const std::vector<Proto>& more = {}, const char* condition = "") {
  std::vector<Proto> nodes{node("Add", {"v", "v"}, {"w"}), node("Identity", {"go"}, {"on"}), node("Identity", {"w"}, {"item"})};
  nodes.insert(nodes.end(), more.begin(), more.end());
  const Graph body{nodes,
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("v")},
                   {any("on"), any("w"), value_info("item", Dtype::float32, {2})}};
  return {{node("Loop", {"trips", condition, "x"}, {"y", "s"}, {graph_of("body", body)})},
          x_and_flag,
          {any("y"), any("s")},
          {int64_tensor({}, {trips}, "trips")}};
}

TEST(ALoop, IsWrittenOutWhenItIsAskedFor) {
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

TEST(ALoop, WithoutIterationsGivesItsStates) {
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

TEST(ALoop, WithoutIterationsAndWithGatheredOutputsStays) {
  Wish wish;
  wish.unroll = 1;
  const Graph graph = doubling(0);
  const Simplified result = simplify(graph, wish);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(true)}}));
}

TEST(AScan, WithoutIterationsGivesTheDimsThatAreDeclared) {
  // Without them, nothing but the declaration of `item` tells that it has two axes more.
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

TEST(ALoop, ThatKnowsItsNumberAndHasGraphsOfItsOwnIsWrittenOut) {
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

TEST(ALoop, WrittenOutInOldOpsetsComputesTheSame) {
  for (const std::int64_t opset : {7, 11, 13, 16, 21}) {
    Wish wish;
    wish.unroll = 3;
    const std::string file = model(doubling(3), opset);
    const Simplified result = simplify(file, wish);
    EXPECT_EQ(result.count(PassKind::unroll), 1) << opset;
    EXPECT_TRUE(gives_the_same(file, result, {{"x", two}, {"c", flag(true)}})) << opset;
  }
}

TEST(ALoop, InALoopIsWrittenOut) {
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

// ---- Loops and Scans over constants ----

TEST(ALoop, OverConstantsIsComputed) {
  // The powers of k below 100: it ends early. The body reads a constant of the graph around, and has one of its own.
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

TEST(ALoop, OverConstantsThatMakesTheOnlyOutputBecomesAConstant) {
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

TEST(ALoop, OverConstantsInALoopIsComputed) {
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

TEST(ALoop, ThatReadsAnInputOrIsRandomIsNotComputed) {
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

TEST(ALoop, ThatTakesTooLongIsNotComputed) {
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

TEST(AScan, OverConstantsIsComputed) {
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

// ---- Functions ----

struct FunctionSpec {
  std::string name;
  Names inputs;
  Names outputs;
  std::vector<Proto> nodes;
  std::int64_t opset = 25;
  std::vector<std::string> attributes = {};

  Proto proto() const {
    Proto function = Proto().string(1, name);
    for (const std::string& input : inputs) function.string(4, input);
    for (const std::string& output : outputs) function.string(5, output);
    for (const std::string& one : attributes) function.string(6, one);
    for (const Proto& one : nodes) function.message(7, one);
    return function.message(9, opset_import(opset)).message(9, opset_import(1, "local")).string(10, "local");
  }
};

std::string file_of(const Graph& graph, const std::vector<FunctionSpec>& functions, std::int64_t opset = 25) {
  Proto file =
      Proto().varint(1, 10).message(8, opset_import(opset)).message(8, opset_import(1, "local")).message(7, graph.proto());
  for (const FunctionSpec& function : functions) file.message(25, function.proto());
  return file.bytes();
}

Proto call(std::string_view name, const Names& inputs, const Names& outputs, const std::vector<Proto>& attributes = {}) {
  return node(name, inputs, outputs, attributes, "", "local");
}
bool has_functions(const Simplified& result) { return result.model->has_functions; }

// By the axis that the call gives.
const FunctionSpec softmax{
    "F",   {"a"},
    {"b"}, {node("Softmax", {"a"}, {"s"}, {attribute("axis", INT).string(21, "where")}), node("Neg", {"s"}, {"b"})},
    25,    {"where"}};
const Proto square = value_info("x", Dtype::float32, {2, 2});
const Tensor four = floats({2, 2}, {1, 2, 3, 5});

TEST(ACall, BecomesTheNodesOfItsFunction) {
  const Graph graph{{call("F", {"x"}, {"p"}, {int_of("where", 0)}), call("F", {"x"}, {"q"}, {int_of("where", 1)}),
                     call("F", {"p"}, {"r"}), node("Sum", {"p", "q", "r"}, {"y"})},
                    {square},
                    {any("y")}};
  const std::string file = file_of(graph, {softmax});
  const Simplified result = simplify(file);
  EXPECT_EQ(result.graph().order.size(), 7U) << listing(result);
  EXPECT_EQ(result.count(PassKind::call), 3);
  EXPECT_FALSE(has_functions(result));
  EXPECT_TRUE(gives_the_same(file, result, {{"x", four}}));
}

TEST(ACall, ThatHandsOnItsInputsGivesThese) {
  const FunctionSpec function{"F", {"a", "b"}, {"b", "c", "a"}, {node("Neg", {"a"}, {"c"})}};
  const Graph graph{{call("F", {"x", "z"}, {"p", "q", "r"}), node("Sum", {"p", "q"}, {"y"})},
                    {square, value_info("z", Dtype::float32, {2, 2})},
                    {any("y"), any("r")}};
  for (const std::int64_t opset : {13, 25}) {
    const std::string file = file_of(graph, {function}, opset);
    const Simplified result = simplify(file);
    EXPECT_EQ(result.graph().order.size(), 3U) << listing(result);
    EXPECT_TRUE(gives_the_same(file, result, {{"x", four}, {"z", four}}));
  }
}

TEST(ACall, OfAFunctionThatAsksForAShapeIsComputedThoughWhatItReadsIsNoConstant) {
  const FunctionSpec function{"F", {"a", "c"}, {"b"}, {node("Shape", {"a"}, {"s"}), node("Expand", {"c", "s"}, {"b"})}};
  const Graph graph{{call("F", {"x", "z"}, {"y"})}, {square, value_info("z", Dtype::float32, {2})}, {any("y")}};
  const std::string file = file_of(graph, {function});
  Wish wish;
  wish.grows = false;
  const Simplified result = simplify(file, wish);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_TRUE(gives_the_same(file, result, {{"x", four}, {"z", two}}));
}

TEST(ACall, OfAFunctionWhoseNodesHaveOtherVersionsStays) {
  // Softmax is another operator since opset 13.
  FunctionSpec old = softmax;
  old.opset = 11;
  const Graph graph{{node("Identity", {"x"}, {"i"}), call("F", {"i"}, {"p"}, {int_of("where", 0)}), node("Neg", {"p"}, {"y"})},
                    {square},
                    {any("y")}};
  const std::string file = file_of(graph, {old});
  const Simplified result = simplify(file);
  EXPECT_TRUE(has_functions(result));
  EXPECT_EQ(result.count(PassKind::call), 0);
  EXPECT_EQ(result.count(PassKind::no_op), 1) << "what is around it is simplified";
  EXPECT_TRUE(gives_the_same(file, result, {{"x", four}}));
}

TEST(ACall, OfAFunctionOfAnotherOpsetIsInlinedWhereItsNodesMeanTheSame) {
  FunctionSpec old{"F", {"a"}, {"b"}, {node("MatMul", {"a", "a"}, {"b"})}, 14};
  const Graph graph{{call("F", {"x"}, {"p"}), node("Neg", {"p"}, {"y"})}, {square}, {any("y")}};
  const Simplified result = simplify(file_of(graph, {old}));
  EXPECT_FALSE(has_functions(result));
  EXPECT_EQ(listing(result), "p = MatMul(x, x); y = Neg(p)");
}

TEST(Calls, ThatGrowTheFileByMoreThanTheLimitStay) {
  FunctionSpec long_one{"F", {"a"}, {"b"}, {}};
  for (int i = 0; i < 50; ++i) {
    long_one.nodes.push_back(
        node("Exp", {i == 0 ? "a" : "e" + std::to_string(i - 1)}, {i == 49 ? "b" : "e" + std::to_string(i)}));
  }
  Graph graph{{}, {square}, {any("y")}};
  for (int i = 0; i < 20; ++i)
    graph.nodes.push_back(call("F", {i == 0 ? "x" : "v" + std::to_string(i - 1)}, {i == 19 ? "y" : "v" + std::to_string(i)}));
  const std::string file = file_of(graph, {long_one});
  Wish wish;
  wish.growth = 1000;
  const Simplified kept = simplify(file, wish);
  EXPECT_TRUE(has_functions(kept));
  EXPECT_LE(kept.bytes.size(), file.size() + 1000);
  EXPECT_TRUE(gives_the_same(file, kept, {{"x", floats({2, 2}, {-1, -2, -3, -4})}}));
  const Simplified inlined = simplify(file);
  EXPECT_FALSE(has_functions(inlined));
  EXPECT_EQ(inlined.graph().order.size(), 1000U);
}

TEST(Functions, ThatNobodyCallsGo) {
  const Graph graph{{node("Neg", {"x"}, {"y"})}, {square}, {any("y")}};
  const std::string file = file_of(graph, {softmax});
  const Simplified result = simplify(file);
  EXPECT_FALSE(has_functions(result));
  EXPECT_LT(result.bytes.size(), file.size());
}

// ---- Order ----

TEST(Nodes, OutOfOrderAreSorted) {
  const Graph graph{{node("Neg", {"b"}, {"y"}), node("Exp", {"a"}, {"b"}), node("Abs", {"x"}, {"a"})},
                    {square},
                    {value_info("y", Dtype::float32)}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Abs(x); b = Exp(a); y = Neg(b)");
  ASSERT_EQ(result.work->warnings().size(), 1U);
  EXPECT_EQ(result.work->warnings()[0], "graph: nodes are not in topological order");
  EXPECT_EQ(result.model->warnings.size(), 0U) << "the result is in order";
}

}  // namespace
}  // namespace broadloom::test
