// Inlined function calls, and the order of nodes.
#include "support/pass_graphs.h"

namespace broadloom::test::simplified_functions_test {
namespace {

using enum AttributeType;

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

// A Softmax along the axis of the call.
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

TEST(ACall, ThatReturnsItsInputsIsReplacedByThem) {
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

TEST(ACall, OfAFunctionWithAShapeIsFoldedEvenIfItsInputsAreNotConstants) {
  const FunctionSpec function{"F", {"a", "c"}, {"b"}, {node("Shape", {"a"}, {"s"}), node("Expand", {"c", "s"}, {"b"})}};
  const Graph graph{{call("F", {"x", "z"}, {"y"})}, {square, value_info("z", Dtype::float32, {2})}, {any("y")}};
  const std::string file = file_of(graph, {function});
  Wish wish;
  wish.grows = false;
  const Simplified result = simplify(file, wish);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_TRUE(gives_the_same(file, result, {{"x", four}, {"z", two}}));
}

TEST(ACall, StaysWhereTheFileWouldGrowBeyondItsLimitAndConstantsStillFold) {
  FunctionSpec large{"F", {"a"}, {"b"}, {node("Add", {"a", "a"}, {"n0"})}};
  for (int i = 0; i < 15; ++i) {
    large.nodes.push_back(node("Mul", {"n" + std::to_string(i), "a"}, {"n" + std::to_string(i + 1)}));
  }
  large.nodes.push_back(node("Mul", {"n15", "a"}, {"b"}));
  const Graph graph{{node("Expand", {"k", "s"}, {"d"}), node("Tile", {"k", "s"}, {"e"}), node("Add", {"d", "e"}, {"f"}),
                     call("F", {"x"}, {"p"}), call("F", {"p"}, {"q"}), call("F", {"q"}, {"r"}), node("Add", {"r", "f"}, {"y"})},
                    {value_info("x", Dtype::int64, {50})},
                    {any("y")},
                    {int64_tensor({1}, {3}, "k"), int64_tensor({1}, {50}, "s")}};
  const std::string file = file_of(graph, {large});
  bool has_calls = false;
  bool has_calls_and_constant = false;
  bool has_all = false;
  for (std::size_t growth = 0; growth < 2400; growth += 20) {
    Wish wish;
    wish.growth = static_cast<double>(growth);
    const Simplified result = simplify(file, wish);
    ASSERT_LE(result.bytes.size(), file.size() + growth);
    const bool is_folded = result.graph().order.size() == 3 * large.nodes.size() + 1;
    has_calls |= has_functions(result) && !is_folded;
    has_calls_and_constant |= has_functions(result) && is_folded;
    has_all |= !has_functions(result) && is_folded;
  }
  EXPECT_TRUE(has_calls);
  EXPECT_TRUE(has_calls_and_constant);
  EXPECT_TRUE(has_all);
}

TEST(ACall, OfAFunctionWhoseNodesHaveOtherVersionsStays) {
  // Softmax has another meaning since opset 13.
  FunctionSpec old = softmax;
  old.opset = 11;
  const Graph graph{{node("Identity", {"x"}, {"i"}), call("F", {"i"}, {"p"}, {int_of("where", 0)}), node("Neg", {"p"}, {"y"})},
                    {square},
                    {any("y")}};
  const std::string file = file_of(graph, {old});
  const Simplified result = simplify(file);
  EXPECT_TRUE(has_functions(result));
  EXPECT_EQ(result.count(PassKind::call), 0);
  EXPECT_EQ(result.count(PassKind::no_op), 1) << "other nodes are simplified";
  EXPECT_TRUE(gives_the_same(file, result, {{"x", four}}));
}

TEST(Calls, OfOtherFunctionsAreInlinedBesideOneThatStays) {
  FunctionSpec old = softmax;
  old.opset = 11;
  // The nodes of this function would fit, but a call within it does not.
  const FunctionSpec around{"G", {"a"}, {"b"}, {node("Neg", {"a"}, {"c"}), call("F", {"c"}, {"b"}, {int_of("where", 0)})}};
  const FunctionSpec other{"H", {"a"}, {"b"}, {node("Neg", {"a"}, {"b"})}};
  for (const bool is_read : {true, false}) {
    const Graph graph{{call("G", {"x"}, {"p"}), call("H", {"x"}, {"q"}), node("Add", {is_read ? "p" : "q", "q"}, {"y"})},
                      {square},
                      {any("y")}};
    const std::string file = file_of(graph, {old, around, other});
    const Simplified result = simplify(file);
    EXPECT_EQ(has_functions(result), is_read);
    EXPECT_EQ(result.count(PassKind::call), 2);
    EXPECT_TRUE(gives_the_same(file, result, {{"x", four}}));
    EXPECT_EQ(simplify(result.bytes).bytes, result.bytes);
  }
}

TEST(Nodes, OfOneOperatorInTwoVersionsAreNotMerged) {
  // Softmax-11 flattens its input at axis 1; Softmax-13 takes the last axis alone.
  const FunctionSpec older{"F", {"a"}, {"b"}, {node("Softmax", {"a"}, {"b"})}, 11};
  const Graph graph{{node("Softmax", {"x"}, {"p"}), call("F", {"x"}, {"q"}), node("Sub", {"p", "q"}, {"y"})},
                    {value_info("x", Dtype::float32, {1, 2, 2})},
                    {any("y")}};
  const std::string file = file_of(graph, {older});
  const Feeds feeds = {{"x", floats({1, 2, 2}, {1, 2, 3, 5})}};
  EXPECT_TRUE(gives_the_same(file, simplify(file), feeds));
  // This run compares with the planned ones.
  EXPECT_NE(elements<float>(must(test::run(*must(read_model(file)), feeds))[0]), std::vector<float>(4));
}

TEST(ACall, OfAFunctionOfAnotherOpsetIsInlinedIfItsNodesMeanTheSame) {
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

TEST(Functions, WithoutCallsAreRemoved) {
  const Graph graph{{node("Neg", {"x"}, {"y"})}, {square}, {any("y")}};
  const std::string file = file_of(graph, {softmax});
  const Simplified result = simplify(file);
  EXPECT_FALSE(has_functions(result));
  EXPECT_LT(result.bytes.size(), file.size());
}

TEST(Functions, AreRemovedInTheRunInWhichTheirLastKeptCallGoes) {
  FunctionSpec old = softmax;
  old.opset = 11;
  const Graph graph{{call("F", {"x"}, {"unread"}, {int_of("where", 0)}), node("Neg", {"x"}, {"y"})}, {square}, {any("y")}};
  const std::string file = file_of(graph, {old});
  const Simplified result = simplify(file);
  EXPECT_FALSE(has_functions(result));
  EXPECT_EQ(simplify(result.bytes).bytes, result.bytes);
}

TEST(Functions, HavePrecedenceOverOperatorsOfTheirNameWhetherTheirCallsStayOrNot) {
  // A Relu of the model's own that turns the sign around.
  Proto relu = Proto().string(1, "Relu").string(4, "a").string(5, "b").message(7, node("Neg", {"a"}, {"b"}));
  relu.message(9, opset_import(25));
  const Graph graph{{node("Relu", {"x"}, {"p"}), node("Relu", {"p"}, {"y"})}, {square}, {any("y")}};
  const std::string bytes =
      Proto().varint(1, 10).message(8, opset_import(25)).message(7, graph.proto()).message(25, relu).bytes();
  EXPECT_TRUE(gives_the_same(bytes, simplify(bytes), {{"x", four}}));
  Wish wish;
  wish.skipped = {Pass::inline_functions};
  const Simplified kept = simplify(bytes, wish);
  EXPECT_TRUE(has_functions(kept));
  EXPECT_TRUE(gives_the_same(bytes, kept, {{"x", four}})) << listing(kept);
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
}  // namespace broadloom::test::simplified_functions_test
