// Nodes that return their input, and nodes that only seem to.
#include "support/pass_graphs.h"

namespace broadloom::test::no_ops_test {
namespace {

using enum AttributeType;

struct Case {
  const char* what;
  Proto node;
  std::vector<Proto> initializers = {};
  Proto x = value_info("x", Dtype::float32, {"n", 3});
  std::int64_t opset = 25;
};

TEST(NodesThatChangeNothing, AreRemoved) {
  const Proto whole = value_info("x", Dtype::int64, {"n", 3});
  const Proto no_pads = int64_tensor({4}, {0, 0, 0, 0}, "k");
  const std::vector<Proto> slice{int64_tensor({1}, {0}, "from"), int64_tensor({1}, {INT64_MAX}, "end"),
                                 int64_tensor({1}, {1}, "axes"), int64_tensor({1}, {1}, "steps")};
  const Proto ends = int64_tensor({1}, {3}, "end");
  const std::vector<Case> cases{
      {"Identity", node("Identity", {"a"}, {"b"})},
      {"Dropout", node("Dropout", {"a"}, {"b"})},
      {"Dropout that is not in training",
       node("Dropout", {"a", "", "k"}, {"b"}),
       {raw_tensor(Dtype::boolean, {}, std::string("\0", 1), "k")}},
      {"Dropout that has is_test",
       node("Dropout", {"a"}, {"b"}, {int_of("is_test", 1)}),
       {},
       value_info("x", Dtype::float32, {2, 3}),
       6},
      {"a Cast to its own type", cast("a", "b", Dtype::float32)},
      {"a Concat of one", node("Concat", {"a"}, {"b"}, {int_of("axis", 0)})},
      {"a Sum of one", node("Sum", {"a"}, {"b"})},
      {"a Max of one", node("Max", {"a"}, {"b"})},
      {"a Mean of one", node("Mean", {"a"}, {"b"})},
      {"a Transpose that keeps the order", node("Transpose", {"a"}, {"b"}, {ints_of("perm", {0, 1})})},
      {"a Reshape to copied dims", node("Reshape", {"a", "k"}, {"b"}), {int64_tensor({2}, {0, 3}, "k")}},
      {"a Flatten of a matrix", node("Flatten", {"a"}, {"b"})},
      {"an Expand to ones", node("Expand", {"a", "k"}, {"b"}), {int64_tensor({2}, {1, 1}, "k")}},
      {"a Tile of one", node("Tile", {"a", "k"}, {"b"}), {int64_tensor({2}, {1, 1}, "k")}},
      {"a Pad of none", node("Pad", {"a", "k"}, {"b"}), {no_pads}},
      {"a Slice of all", node("Slice", {"a", "from", "end", "axes", "steps"}, {"b"}), slice},
      {"a Slice to the size", node("Slice", {"a", "from", "end", "axes"}, {"b"}), {slice[0], ends, slice[2]}},
      {"a product with 1", node("Mul", {"a", "k"}, {"b"}), {scalar(1, "k")}},
      {"1 times something", node("Mul", {"k", "a"}, {"b"}), {scalar(1, "k")}},
      {"a quotient by 1", node("Div", {"a", "k"}, {"b"}), {scalar(1, "k")}},
      {"a difference to 0", node("Sub", {"a", "k"}, {"b"}), {scalar(0, "k")}},
      {"a quotient by ones for each", node("Div", {"a", "k"}, {"b"}), {float_tensor({3}, {1, 1, 1}, "k")}},
      {"a Split into one", node("Split", {"a"}, {"b"}, {int_of("num_outputs", 1), int_of("axis", 1)})},
      {"a sum of integers with 0", node("Add", {"a", "k"}, {"b"}), {int64_tensor({}, {0}, "k")}, whole},
      {"0 plus an integer", node("Add", {"k", "a"}, {"b"}), {int64_tensor({}, {0}, "k")}, whole},
  };
  for (const Case& one : cases) {
    const Graph graph = between(one.node, one.initializers, one.x);
    const Simplified result = simplify(graph, {}, one.opset);
    EXPECT_EQ(listing(result), without) << one.what;
    EXPECT_EQ(result.count(PassKind::no_op), 1) << one.what;
    EXPECT_TRUE(initializers_of(result.graph()).empty()) << one.what;
    const Tensor x = one.x.bytes() == whole.bytes() ? int64s({2, 3}, {1, -2, 3, 0, 5, 6}) : six;
    if (one.opset >= 7) EXPECT_TRUE(gives_the_same(model(graph, one.opset), result, {{"x", x}})) << one.what;
  }
}

TEST(NodesThatChangeSomething, Stay) {
  const std::vector<Proto> slice{int64_tensor({1}, {-1}, "from"), int64_tensor({1}, {INT64_MIN}, "end"),
                                 int64_tensor({1}, {1}, "axes"), int64_tensor({1}, {-1}, "steps")};
  const std::vector<Case> cases{
      {"-0 plus 0 is 0", node("Add", {"a", "k"}, {"b"}), {scalar(0, "k")}},
      {"a product with a 1 and others", node("Mul", {"a", "k"}, {"b"}), {float_tensor({3}, {1, 2, 1}, "k")}},
      {"0 minus something", node("Sub", {"k", "a"}, {"b"}), {scalar(0, "k")}},
      {"-0 minus -0 is 0", node("Sub", {"a", "k"}, {"b"}), {scalar(-0.0F, "k")}},
      {"a first power, which is computed as any other", node("Pow", {"a", "k"}, {"b"}), {int64_tensor({}, {1}, "k")}},
      {"1 over something", node("Div", {"k", "a"}, {"b"}), {scalar(1, "k")}},
      {"a product with one that has more axes", node("Mul", {"a", "k"}, {"b"}), {float_tensor({1, 1, 1}, {1}, "k")}},
      {"a Cast that narrows", cast("a", "b", Dtype::float16)},
      {"a Dropout whose mask is read", node("Dropout", {"a"}, {"c", "b"})},
      {"a Dropout in training",
       node("Dropout", {"a", "", "k"}, {"b"}),
       {raw_tensor(Dtype::boolean, {}, std::string("\1", 1), "k")}},
      {"a Concat of two", node("Concat", {"a", "a"}, {"b"}, {int_of("axis", 0)})},
      {"a Slice from behind", node("Slice", {"a", "from", "end", "axes", "steps"}, {"b"}), slice},
      {"a Transpose", node("Transpose", {"a"}, {"b"})},
      {"a Tile of two", node("Tile", {"a", "k"}, {"b"}), {int64_tensor({2}, {2, 1}, "k")}},
      {"a Pad that cuts as much as it adds", node("Pad", {"a", "k"}, {"b"}), {int64_tensor({4}, {0, 1, 0, -1}, "k")}},
      {"a Pad for an input that may have another rank",
       node("Pad", {"a", "k"}, {"b"}),
       {int64_tensor({4}, {0, 0, 0, 0}, "k")},
       value_info("x", Dtype::float32)},
      {"an Expand that adds an axis", node("Expand", {"a", "k"}, {"b"}), {int64_tensor({3}, {1, 1, 1}, "k")}},
      {"an Identity of another domain", node("Identity", {"a"}, {"b"}, {}, "", "local")},
      {"BatchNormalization in training",
       node("BatchNormalization", {"a", "k", "k", "k", "k"}, {"b", "m", "v"}, {int_of("training_mode", 1)}),
       {float_tensor({3}, {1, 1, 1}, "k")}},
  };
  for (const Case& one : cases) {
    const Graph graph = between(one.node, one.initializers, one.x);
    const Simplified result = simplify(graph, {}, one.opset);
    EXPECT_EQ(result.graph().order.size(), 3U) << one.what << ": " << listing(result);
    EXPECT_EQ(result.count(PassKind::no_op), 0) << one.what;
  }
}

TEST(AnIdentity, FromAnInputToAnOutputStays) {
  const Simplified result = simplify(through({node("Identity", {"x"}, {"y"})}));
  EXPECT_EQ(listing(result), "y = Identity(x)");
}

TEST(AnIdentity, OfAConstantThatIsAnOutputBecomesAConstant) {
  const Simplified result = simplify(through({node("Identity", {"k"}, {"y"})}, {float_tensor({2}, {1, 2}, "k")}));
  EXPECT_EQ(listing(result), "y = Constant()");
  EXPECT_EQ(result.graph().inputs.size(), 1U) << "inputs without readers stay";
}

TEST(AnOutput, KeepsItsNameIfTheNodeBeforeReplacesItsProducer) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}), node("Identity", {"a"}, {"y"})});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Neg(x)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(AnOutput, ThatEqualsAnotherKeepsASeparateNode) {
  Graph graph = through({node("Neg", {"x"}, {"a"}), node("Identity", {"a"}, {"y"}), node("Identity", {"a"}, {"z"})});
  graph.outputs.push_back(value_info("z", Dtype::undefined));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Neg(x); z = Identity(y)");
  EXPECT_EQ(names_of(result.graph().outputs), (Names{"y", "z"}));
}

TEST(IdempotentNodes, AreRemovedAfterThemselves) {
  for (const char* op : {"Relu", "Ceil", "Floor", "Round", "Sign", "Abs"}) {
    const Graph graph = through({node(op, {"x"}, {"a"}), node(op, {"a"}, {"b"}), node("Add", {"a", "b"}, {"y"})});
    const Simplified result = simplify(graph);
    EXPECT_EQ(listing(result), std::string("a = ") + op + "(x); y = Add(a, a)");
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}})) << op;
  }
  EXPECT_EQ(simplify(through({node("Exp", {"x"}, {"a"}), node("Exp", {"a"}, {"y"})})).graph().order.size(), 2U);
}

}  // namespace
}  // namespace broadloom::test::no_ops_test
