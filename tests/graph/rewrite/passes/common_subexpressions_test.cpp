// Equal nodes, and constants with equal elements.
#include "support/pass_graphs.h"

namespace broadloom::test::common_subexpressions_test {
namespace {

using enum AttributeType;

TEST(EqualNodes, AreMerged) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}, {}, "first"), node("Neg", {"x"}, {"b"}, {}, "second"),
                               node("Add", {"a", "k"}, {"c"}), node("Add", {"b", "m"}, {"d"}), node("Mul", {"c", "d"}, {"y"})},
                              {scalar(2, "k"), scalar(2, "m")});
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "a = Neg(x); c = Add(a, k); y = Mul(c, c)");
  EXPECT_EQ(initializers_of(result.graph()), Names{"k"});
  EXPECT_EQ(result.count(PassKind::repeated), 3);
}

TEST(EqualNodes, MustHaveEqualAttributesAndInputs) {
  const Graph graph =
      through({node("Softmax", {"x"}, {"a"}, {int_of("axis", 0)}), node("Softmax", {"x"}, {"b"}, {int_of("axis", 1)}),
               node("Clip", {"x", "k"}, {"c"}), node("Clip", {"x", "", "k"}, {"d"}), node("Sum", {"a", "b", "c", "d"}, {"y"})},
              {scalar(2, "k")});
  EXPECT_EQ(simplify(graph).graph().order.size(), 5U);
}

TEST(EqualNodes, ThatAreRandomStay) {
  for (const char* op : {"RandomNormalLike", "RandomUniformLike", "Bernoulli"}) {
    const Graph graph = through({node(op, {"x"}, {"a"}), node(op, {"x"}, {"b"}), node("Add", {"a", "b"}, {"y"})});
    EXPECT_EQ(simplify(graph).graph().order.size(), 3U) << op;
  }
}

TEST(EqualNodes, StayIfBothAreOutputs) {
  Graph graph = through({node("Neg", {"x"}, {"y"}), node("Neg", {"x"}, {"z"})});
  graph.outputs.push_back(value_info("z", Dtype::undefined));
  EXPECT_EQ(listing(simplify(graph)), "y = Neg(x); z = Neg(x)");
}

TEST(RandomNodes, WithoutInputsAreNotFolded) {
  const Graph graph = through({node("RandomNormal", {}, {"r"}, {ints_of("shape", {2, 3})}), node("Add", {"x", "r"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "r = RandomNormal(); y = Add(x, r)");
}

TEST(EqualConstants, MustHaveEqualTypesDimsAndBits) {
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

TEST(EqualConstants, AreNotReadBeforeTheNodeThatMakesThem) {
  // The value of x is given later than the Constant is read, which stays a node behind the first reader of x.
  const Graph graph{
      {node("Softmax", {"z"}, {"s"}), node("Mul", {"s", "x"}, {"m"}),
       node("Constant", {}, {"c"}, {tensor_of_attribute("value", float_tensor({2}, {3, 4}))}), node("Add", {"m", "c"}, {"y"})},
      {value_info("z", Dtype::float32, {2}), value_info("x", Dtype::float32, {2})},
      {any("y")}};
  Wish wish;
  wish.values = {{"x", floats({2}, {3, 4})}};
  wish.skipped = {Pass::extract_constant_to_initializer};
  EXPECT_EQ(listing(simplify(graph, wish)), "s = Softmax(z); m = Mul(s, x); c = Constant(); y = Add(m, c)");
}

TEST(ListsOfEqualSizes, AreMerged) {
  const Graph graph = through({node("Neg", {"x"}, {"a"}), node("Shape", {"x"}, {"s"}), node("Shape", {"a"}, {"t"}),
                               node("Opaque", {"s", "t"}, {"y"}, {}, "", "local")});
  const std::string left = listing(simplify(graph));
  EXPECT_EQ(left, "s = Shape(x); y = Opaque(s, s)");
}

TEST(EqualNodes, MustHaveEqualUnreadAttributes) {
  const auto decoders = [](const test::Proto& first, const test::Proto& second) {
    return Graph{{node("ImageDecoder", {"x"}, {"a"}, {first}), node("ImageDecoder", {"x"}, {"b"}, {second}),
                  node("Add", {"a", "b"}, {"y"})},
                 {value_info("x", Dtype::uint8, {16})},
                 {any("y")}};
  };
  const auto text = [](const char* bytes) { return test::attribute("extra", AttributeType::STRINGS).string(9, bytes); };
  // Small ones are part of the node's bytes, and large ones are left in the file.
  const auto tensor = [](std::int64_t size, char byte) {
    return test::tensor_of_attribute("extra",
                                     test::raw_tensor(Dtype::uint8, {size}, std::string(static_cast<std::size_t>(size), byte)));
  };
  EXPECT_EQ(simplify(decoders(tensor(8, 'a'), tensor(8, 'a'))).graph().order.size(), 2U);
  EXPECT_EQ(simplify(decoders(tensor(8, 'a'), tensor(8, 'b'))).graph().order.size(), 3U);
  EXPECT_EQ(simplify(decoders(tensor(1 << 17, 'a'), tensor(1 << 17, 'b'))).graph().order.size(), 3U);
  EXPECT_EQ(simplify(decoders(text("a"), text("a"))).graph().order.size(), 2U);
  EXPECT_EQ(simplify(decoders(text("a"), text("b"))).graph().order.size(), 3U);
}

}  // namespace
}  // namespace broadloom::test::common_subexpressions_test
