// Ifs that are replaced by a branch.
#include "support/pass_graphs.h"

namespace broadloom::test::inline_if_test {
namespace {

using enum AttributeType;

TEST(AnIf, WithAConstantConditionIsReplacedByItsBranch) {
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

TEST(AnIf, WithTakenNamesInItsBranchGetsOthers) {
  // The outer graph may use names of a branch after it.
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

TEST(AnIf, WithAnOutputOfTheModelCopiesAnInputOrAnInitializerByANode) {
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

TEST(AnIf, KeepsAllOutputsOfANodeThatItsBranchReturns) {
  // Only the outer graph reads the mask, and it also reads the input of the Exp.
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

TEST(AnIf, KeepsAnOutputThatAFusionReads) {
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

TEST(AnIf, ReadsTheReplacementsOfValuesInItsBranches) {
  // The condition is unknown, so the node stays.
  const Graph branch{{node("Abs", {"i"}, {"a"})}, {}, {any("a"), any("j")}};
  const Graph graph{{node("Identity", {"x"}, {"i"}), node("Identity", {"k"}, {"j"}), branches({"y", "z"}, branch, branch)},
                    x_and_flag,
                    {any("y"), any("z")},
                    {float_tensor({2}, {1, 2}, "k")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y, z = If(c) then_branch {a = Abs(x)} else_branch {a_1 = Abs(x)}");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}, {"c", flag(true)}}));
}

TEST(AnIf, ThatReturnsAnOuterValueIsReplacedByIt) {
  const Graph outer{{}, {}, {any("a")}};
  const Graph other{{node("Exp", {"a"}, {"e"})}, {}, {any("e")}};
  const Graph graph{{node("Neg", {"x"}, {"a"}), branches({"p"}, outer, other, "yes"), node("Abs", {"p"}, {"y"})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y")},
                    {boolean(true, "yes")}};
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Abs(a)");
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

TEST(AnIf, WithTwoEqualOutputsKeepsBoth) {
  const Graph branch{{node("Neg", {"x"}, {"a"})}, {}, {any("a"), any("a")}};
  const Graph graph{{branches({"y", "z"}, branch, branch, "yes")},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y"), any("z")},
                    {boolean(true, "yes")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(result.graph().order.size(), 2U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", two}}));
}

TEST(AnIf, WithABranchThatAlwaysFailsIsReplacedByTheOther) {
  // Exporters test a rank or a size, and squeeze an axis of size 1.
  const Graph then_branch{{node("Squeeze", {"x", "zero"}, {"a"})}, {}, {any("a")}};
  const Graph else_branch{{node("Neg", {"x"}, {"a"})}, {}, {any("a")}};
  const Graph graph{{branches({"y"}, then_branch, else_branch)}, x_and_flag, {any("y")}, {int64_tensor({1}, {0}, "zero")}};
  // The condition is an input.
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

// The number of decided Ifs in a graph whose If has a computed condition. Its branches compute "a" from the float32 x and from
// "u" of an unknown operator.
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

TEST(AnIf, StaysIfABranchIsOnlyRefusedHere) {
  const Proto copy = node("Identity", {"x"}, {"a"});
  // Other runtimes reduce along an axis that is listed twice.
  EXPECT_EQ(decided(node("ReduceSum", {"x", "twice"}, {"a"}), node("ReduceSum", {"x", "once"}, {"a"})), 0);
  // The type of "u" is unknown.
  EXPECT_EQ(decided(node("BitCast", {"u"}, {"a"}, {int_of("to", 1)}), copy), 0);
  EXPECT_EQ(decided(node("QuantizeLinear", {"x", "scale", "u"}, {"a"}, {int_of("output_dtype", 2)}),
                    node("QuantizeLinear", {"x", "scale"}, {"a"}, {int_of("output_dtype", 2)})),
            0);
  // No runtime squeezes an axis of size 2.
  const Proto squeezed = node("Squeeze", {"x", "once"}, {"a"});
  EXPECT_EQ(decided(squeezed, copy), 1);
}

TEST(ValuesThatABranchReads, StayWithoutOtherReaders) {
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

TEST(NestedIfs, AreDecidedFromTheOutsideIn) {
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

}  // namespace
}  // namespace broadloom::test::inline_if_test
