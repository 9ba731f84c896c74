// What becomes of single nodes: which of them go, which are joined, and which must stay.
#include <cmath>

#include "support/simplified.h"

namespace broadloom::test {
namespace {

using enum AttributeType;

// One node from a to b, and work around it: a = x + x, y = b + b.
Graph between(const Proto& one, const std::vector<Proto>& initializers = {},
              const Proto& x = value_info("x", Dtype::float32, {"n", 3})) {
  return through({node("Add", {"x", "x"}, {"a"}), one, node("Add", {"b", "b"}, {"y"})}, initializers, x);
}
constexpr const char* without = "a = Add(x, x); y = Add(a, a)";

Proto scalar(float value, std::string_view name) { return float_tensor({}, {value}, name); }

const Tensor six = floats({2, 3}, {1, -2, 3, -0.0F, 5, INFINITY});

// ---- Nodes that give what they get ----

struct Case {
  const char* what;
  Proto node;
  std::vector<Proto> initializers = {};
  Proto x = value_info("x", Dtype::float32, {"n", 3});
  std::int64_t opset = 25;
};

TEST(NodesThatChangeNothing, Go) {
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
  EXPECT_EQ(result.graph().inputs.size(), 1U) << "inputs stay, be they read or not";
}

TEST(AnOutput, KeepsItsNameWhenTheNodeBeforeItTakesItsPlace) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}), node("Identity", {"a"}, {"y"})});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Neg(x)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(AnOutput, OfTwoThatAreTheSameKeepsANodeOfItsOwn) {
  Graph graph = through({node("Neg", {"x"}, {"a"}), node("Identity", {"a"}, {"y"}), node("Identity", {"a"}, {"z"})});
  graph.outputs.push_back(value_info("z", Dtype::undefined));
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Neg(x); z = Identity(y)");
  EXPECT_EQ(names_of(result.graph().outputs), (Names{"y", "z"}));
}

// ---- Two nodes in a row ----

TEST(Transposes, ThatTurnBackGo) {
  const auto turn = [](std::string_view from, std::string_view name, const List& perm) {
    return node("Transpose", {std::string(from)}, {std::string(name)}, {ints_of("perm", perm)});
  };
  const Proto x = value_info("x", Dtype::float32, {"n", "m", 3});
  const Graph back = through(
      {node("Neg", {"x"}, {"a"}), turn("a", "b", {1, 2, 0}), turn("b", "c", {2, 0, 1}), node("Neg", {"c"}, {"y"})}, {}, x);
  EXPECT_EQ(listing(simplify(back)), "a = Neg(x); y = Neg(a)");
  const Graph on = through({turn("x", "a", {1, 2, 0}), turn("a", "y", {1, 2, 0})}, {}, x);
  const Simplified result = simplify(on);
  EXPECT_EQ(listing(result), "y = Transpose(x)");
  const Tensor some = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(gives_the_same(model(on), result, {{"x", some}}));
}

TEST(Transposes, WithoutOrderTurnBack) {
  const Graph graph = through(
      {node("Neg", {"x"}, {"a"}), node("Transpose", {"a"}, {"b"}), node("Transpose", {"b"}, {"c"}), node("Neg", {"c"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Neg(a)");
}

// Nothing is left of the errors of one for the next, in builds that end then.
TEST(Transposes, WithOrdersThatAreNoneStay) {
  const Graph graph = through(
      {node("Transpose", {"x"}, {"a"}, {ints_of("perm", {0, 0})}), node("Transpose", {"a"}, {"y"}, {ints_of("perm", {1, 1})})});
  EXPECT_EQ(listing(simplify(graph)), "a = Transpose(x); y = Transpose(a)");
}

TEST(Transposes, OfWhichTheFirstHasOtherReadersAreJoinedAllTheSame) {
  Graph graph = through({node("Transpose", {"x"}, {"t"}), node("Transpose", {"t"}, {"u"}), node("Neg", {"u"}, {"y"})});
  graph.outputs.push_back(value_info("t", Dtype::undefined));
  EXPECT_EQ(listing(simplify(graph)), "t = Transpose(x); y = Neg(x)");
}

TEST(Casts, ThatWidenAndGoBackGo) {
  const Graph graph = through(
      {node("Neg", {"x"}, {"a"}), cast("a", "b", Dtype::float64), cast("b", "c", Dtype::float32), node("Neg", {"c"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Neg(a)");
}

TEST(Casts, ThatWidenTwiceAreOne) {
  const Proto x = value_info("x", Dtype::int8, {2});
  const Graph graph = through({cast("x", "a", Dtype::int32), cast("a", "y", Dtype::int64)}, {}, x);
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Cast(x)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", tensor_of<std::int8_t>(Dtype::int8, {2}, {-128, 127})}}));
}

TEST(Casts, ThatNarrowFirstStay) {
  const auto stays = [](Dtype from, Dtype by, Dtype last) {
    const Graph graph = through({cast("x", "a", by), cast("a", "y", last)}, {}, value_info("x", from, {2}));
    return listing(simplify(graph)) == "a = Cast(x); y = Cast(a)";
  };
  EXPECT_TRUE(stays(Dtype::float32, Dtype::float16, Dtype::float32));
  EXPECT_TRUE(stays(Dtype::float32, Dtype::int64, Dtype::float32));
  EXPECT_TRUE(stays(Dtype::int64, Dtype::float64, Dtype::int64));
  EXPECT_TRUE(stays(Dtype::int64, Dtype::int32, Dtype::int64));
  EXPECT_TRUE(stays(Dtype::uint8, Dtype::int8, Dtype::uint8));
  EXPECT_TRUE(stays(Dtype::int32, Dtype::boolean, Dtype::int32));
  EXPECT_TRUE(stays(Dtype::float16, Dtype::bfloat16, Dtype::float16));
  // What does not fit into the last type may become something else from another type.
  EXPECT_TRUE(stays(Dtype::float32, Dtype::float64, Dtype::int8));
}

TEST(UnsqueezesAndSqueezes, InARowAreOne) {
  const std::vector<Proto> axes{int64_tensor({1}, {0}, "first"), int64_tensor({1}, {-1}, "last")};
  const Graph added = through({node("Unsqueeze", {"x", "first"}, {"a"}), node("Unsqueeze", {"a", "last"}, {"y"})}, axes);
  const Simplified result = simplify(added);
  EXPECT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_EQ(listing(result).substr(0, 16), "y = Unsqueeze(x,");
  EXPECT_TRUE(gives_the_same(model(added), result, {{"x", six}}));

  const Proto ones = value_info("x", Dtype::float32, {1, "n", 1});
  const Graph dropped = through({node("Squeeze", {"x", "first"}, {"a"}), node("Squeeze", {"a", "last"}, {"y"})}, axes, ones);
  const Simplified fewer = simplify(dropped);
  EXPECT_EQ(fewer.graph().order.size(), 1U) << listing(fewer);
  EXPECT_TRUE(gives_the_same(model(dropped), fewer, {{"x", floats({1, 2, 1}, {1, 2})}}));
}

TEST(UnsqueezesAndSqueezes, WithAxesAsAttributesAreOne) {
  const auto by = [](const char* op, std::string_view from, std::string_view name, const List& axes) {
    return node(op, {std::string(from)}, {std::string(name)}, {ints_of("axes", axes)});
  };
  const Graph added = through({by("Unsqueeze", "x", "a", {1}), by("Unsqueeze", "a", "y", {0, 4})});
  const Simplified result = simplify(added, {}, 11);
  EXPECT_EQ(listing(result), "y = Unsqueeze(x)");
  EXPECT_TRUE(gives_the_same(model(added, 11), result, {{"x", six}}));

  const Graph back = through(
      {node("Neg", {"x"}, {"a"}), by("Unsqueeze", "a", "b", {1}), by("Squeeze", "b", "c", {1}), node("Neg", {"c"}, {"y"})});
  EXPECT_EQ(listing(simplify(back, {}, 11)), "a = Neg(x); y = Neg(a)");
}

TEST(Reshapes, InARowAreOne) {
  const Graph graph = through({node("Reshape", {"x", "k"}, {"a"}), node("Reshape", {"a", "m"}, {"y"})},
                              {int64_tensor({3}, {3, -1, 1}, "k"), int64_tensor({2}, {-1, 1}, "m")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Reshape(x, m)");
  EXPECT_EQ(initializers_of(result.graph()), Names{"m"});
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(Reshapes, OfWhichTheSecondCopiesASizeOfTheFirstComputeTheSame) {
  const Graph graph = through({node("Reshape", {"x", "k"}, {"a"}), node("Reshape", {"a", "m"}, {"y"})},
                              {int64_tensor({3}, {3, -1, 1}, "k"), int64_tensor({2}, {0, -1}, "m")});
  EXPECT_TRUE(gives_the_same(model(graph), simplify(graph), {{"x", six}}));
}

TEST(Reshapes, ThatComeBackGo) {
  const Graph graph =
      through({node("Neg", {"x"}, {"a"}), node("Reshape", {"a", "k"}, {"b"}), node("Unsqueeze", {"b", "first"}, {"c"}),
               node("Reshape", {"c", "m"}, {"d"}), node("Neg", {"d"}, {"y"})},
              {int64_tensor({1}, {-1}, "k"), int64_tensor({1}, {0}, "first"), int64_tensor({2}, {-1, 3}, "m")});
  const Simplified result = simplify(graph);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
  EXPECT_LE(result.graph().order.size(), 3U) << listing(result);
}

// ---- Operands that are known ----

// n and the rest of x's shape, as a target: the last is -1, "n", or what is given.
std::vector<Proto> sizes_of_x() {
  return {node("Shape", {"x"}, {"s"}), node("Gather", {"s", "zero"}, {"n"}, {int_of("axis", 0)}),
          node("Gather", {"s", "one"}, {"m"}, {int_of("axis", 0)})};
}
const std::vector<Proto> places{int64_tensor({1}, {0}, "zero"), int64_tensor({1}, {1}, "one")};

TEST(ATarget, WithOneSizeThatIsNotKnownHasAMinusOne) {
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

TEST(ATarget, CopiesSizesThatStandWhereTheyStood) {
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

TEST(ATarget, WithTwoSizesThatAreNotKnownElsewhereStays) {
  const Proto x = value_info("x", Dtype::float32, {"n", "m"});
  std::vector<Proto> nodes = sizes_of_x();
  nodes.push_back(node("Concat", {"m", "n"}, {"t"}, {int_of("axis", 0)}));
  nodes.push_back(node("Reshape", {"x", "t"}, {"y"}));
  const Graph graph = through(nodes, places, x);
  const Simplified result = simplify(graph);
  EXPECT_GT(result.graph().order.size(), 2U) << listing(result);
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}}));
}

TEST(AnExpand, ToTheShapeOfItsOwnInputGoes) {
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

TEST(ASlice, ToTheEndOfItsAxisGoesThere) {
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

// ---- What is there twice ----

TEST(NodesThatDoTheSame, AreOne) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}, {}, "first"), node("Neg", {"x"}, {"b"}, {}, "second"),
                               node("Add", {"a", "k"}, {"c"}), node("Add", {"b", "m"}, {"d"}), node("Mul", {"c", "d"}, {"y"})},
                              {scalar(2, "k"), scalar(2, "m")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Neg(x); c = Add(a, k); y = Mul(c, c)");
  EXPECT_EQ(initializers_of(result.graph()), Names{"k"});
  EXPECT_EQ(result.count(PassKind::repeated), 3);
}

TEST(NodesThatDoTheSame, WithOtherAttributesOrInputsAreTwo) {
  const Graph graph =
      through({node("Softmax", {"x"}, {"a"}, {int_of("axis", 0)}), node("Softmax", {"x"}, {"b"}, {int_of("axis", 1)}),
               node("Clip", {"x", "k"}, {"c"}), node("Clip", {"x", "", "k"}, {"d"}), node("Sum", {"a", "b", "c", "d"}, {"y"})},
              {scalar(2, "k")});
  EXPECT_EQ(simplify(graph).graph().order.size(), 5U);
}

TEST(NodesThatDoTheSame, AtRandomAreTwo) {
  for (const char* op : {"RandomNormalLike", "RandomUniformLike", "Bernoulli"}) {
    const Graph graph = through({node(op, {"x"}, {"a"}), node(op, {"x"}, {"b"}), node("Add", {"a", "b"}, {"y"})});
    EXPECT_EQ(simplify(graph).graph().order.size(), 3U) << op;
  }
}

TEST(RandomNodes, WithoutInputsAreNotComputed) {
  const Graph graph = through({node("RandomNormal", {}, {"r"}, {ints_of("shape", {2, 3})}), node("Add", {"x", "r"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "r = RandomNormal(); y = Add(x, r)");
}

TEST(NodesThatDoTheSame, StayWhenBothAreOutputs) {
  Graph graph = through({node("Neg", {"x"}, {"y"}), node("Neg", {"x"}, {"z"})});
  graph.outputs.push_back(value_info("z", Dtype::undefined));
  EXPECT_EQ(listing(simplify(graph)), "y = Neg(x); z = Neg(x)");
}

TEST(Constants, ThatDifferInTypeDimsOrBitsAreTwo) {
  const auto two = [](const Proto& a, const Proto& b) {
    const Graph graph{{node("Identity", {"x"}, {"i"}), node("Opaque", {"i", "k", "m"}, {"y"}, {}, "", "local")},
                      {value_info("x", Dtype::float32)},
                      {value_info("y", Dtype::float32)},
                      {a, b}};
    return initializers_of(simplify(graph).graph()).size();
  };
  EXPECT_EQ(two(float_tensor({2}, {1, 2}, "k"), float_tensor({2}, {1, 2}, "m")), 1U);
  EXPECT_EQ(two(float_tensor({2}, {1, 2}, "k"), float_tensor({2, 1}, {1, 2}, "m")), 2U);
  EXPECT_EQ(two(float_tensor({1}, {0}, "k"), float_tensor({1}, {-0.0F}, "m")), 2U);
  EXPECT_EQ(two(int64_tensor({}, {0}, "k"), int64_tensor({0}, {}, "m")), 2U);
  EXPECT_EQ(two(float_tensor({1}, {0}, "k"), raw_tensor(Dtype::int32, {1}, std::string(4, '\0'), "m")), 2U);
}

TEST(ListsOfTheSameSizes, AreOne) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}), node("Shape", {"x"}, {"s"}), node("Shape", {"a"}, {"t"}),
                               node("Opaque", {"s", "t"}, {"y"}, {}, "", "local")});
  const std::string left = listing(simplify(graph));
  EXPECT_EQ(left, "s = Shape(x); y = Opaque(s, s)");
}

// ---- Two in a row ----

TEST(Reductions, KeepTheAxesThatAnUnsqueezeBringsBack) {
  for (const std::int64_t opset : {11, 13, 18}) {
    const auto by = [&](const char* op, std::int64_t since, const char* from, const char* name,
                        const std::vector<Proto>& more) {
      std::vector<Proto> attributes = more;
      if (opset < since) attributes.push_back(ints_of("axes", {1}));
      return node(op, opset < since ? Names{from} : Names{from, "axes"}, {name}, attributes);
    };
    const Graph graph = through({by("ReduceMax", 18, "x", "a", {int_of("keepdims", 0)}), by("Unsqueeze", 13, "a", "y", {})},
                                opset < 13 ? std::vector<Proto>{} : std::vector<Proto>{int64_tensor({1}, {1}, "axes")});
    const Simplified result = simplify(graph, {}, opset);
    EXPECT_EQ(listing(result), opset < 18 ? "y = ReduceMax(x)" : "y = ReduceMax(x, axes)") << opset;
    EXPECT_EQ(result.count(PassKind::merge), 1) << opset;
    EXPECT_TRUE(gives_the_same(model(graph, opset), result, {{"x", six}})) << opset;
  }
}

TEST(Concats, OfManyAreJoinedUpToALimit) {
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

TEST(Concats, AlongOtherAxesOrReadElsewhereStay) {
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

TEST(Nodes, ThatDoNotChangeWhatTheyMadeOnceMoreGo) {
  for (const char* op : {"Relu", "Ceil", "Floor", "Round", "Sign", "Abs"}) {
    const Graph graph = through({node(op, {"x"}, {"a"}), node(op, {"a"}, {"b"}), node("Add", {"a", "b"}, {"y"})});
    const Simplified result = simplify(graph);
    EXPECT_EQ(listing(result), std::string("a = ") + op + "(x); y = Add(a, a)");
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", six}})) << op;
  }
  EXPECT_EQ(simplify(through({node("Exp", {"x"}, {"a"}), node("Exp", {"a"}, {"y"})})).graph().order.size(), 2U);
}

// ---- Fusions that change bits ----

TEST(Fusions, ComeOnlyWhenTheyAreAskedFor) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  const Graph graph =
      through({node("Conv", {"x", "w"}, {"c"}), node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"n"}),
               node("Mul", {"n", "k"}, {"y"})},
              {float_tensor({2, 1, 1}, {2, 3}, "w"), float_tensor({2}, {1, 2}, "s"), float_tensor({2}, {0, 1}, "b"),
               float_tensor({2}, {0, 0}, "m"), float_tensor({2}, {1, 1}, "v"), scalar(2, "k")},
              x);
  EXPECT_EQ(listing(simplify(graph)), "c = Conv(x, w); n = BatchNormalization(c, s, b, m, v); y = Mul(n, k)");
  Wish wish;
  wish.fuses = true;
  const Simplified result = simplify(graph, wish);
  ASSERT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_EQ(listing(result).substr(0, 10), "y = Conv(x");
  EXPECT_EQ(result.count(PassKind::fuse), 2);
}

TEST(Fusions, LeaveAConvAloneWhoseResultIsReadElsewhere) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  Graph graph = through({node("Conv", {"x", "w"}, {"c"}), node("Mul", {"c", "k"}, {"y"})},
                        {float_tensor({2, 1, 1}, {2, 3}, "w"), scalar(2, "k")}, x);
  graph.outputs.push_back(value_info("c", Dtype::float32));
  Wish wish;
  wish.fuses = true;
  EXPECT_EQ(listing(simplify(graph, wish)), "c = Conv(x, w); y = Mul(c, k)");
}

TEST(Fusions, LeaveABatchNormalizationAloneWhoseNumbersHaveAnotherType) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  const auto halves = [](std::string_view name) {
    return raw_tensor(Dtype::float16, {2}, std::string_view("\0\x3C\0\x40", 4), name);
  };
  const Graph graph = through({node("Conv", {"x", "w"}, {"c"}), node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"})},
                              {float_tensor({2, 1, 1}, {2, 3}, "w"), halves("s"), halves("b"), halves("m"), halves("v")}, x);
  Wish wish;
  wish.fuses = true;
  EXPECT_EQ(listing(simplify(graph, wish)).substr(0, 14), "c = Conv(x, w)");
  EXPECT_EQ(simplify(graph, wish).count(PassKind::fuse), 0);
}

TEST(Fusions, LeaveNodesAloneWhoseConstantsHaveTypesThatTheyCannotHave) {
  Wish wish;
  wish.fuses = true;
  const Proto halves = raw_tensor(Dtype::float16, {2}, std::string_view("\0\x3C\0\x40", 4), "h");
  const Proto half = raw_tensor(Dtype::float16, {}, std::string_view("\0\x40", 2), "k");
  const Proto w = float_tensor({2, 1, 1}, {2, 3}, "w");
  const std::vector<Graph> graphs{
      through({node("Conv", {"x", "w", "h"}, {"c"}), node("Mul", {"c", "s"}, {"y"})}, {w, halves, scalar(2, "s")},
              value_info("x", Dtype::float32, {1, 1, 3})),
      through({node("Mul", {"x", "k"}, {"m"}), node("Conv", {"m", "w"}, {"y"})}, {w, half},
              value_info("x", Dtype::float16, {1, 1, 3})),
  };
  for (const Graph& graph : graphs) EXPECT_EQ(simplify(graph, wish).count(PassKind::fuse), 0) << listing(simplify(graph, wish));
}

}  // namespace
}  // namespace broadloom::test
