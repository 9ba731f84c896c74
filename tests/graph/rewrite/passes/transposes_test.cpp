// Transposes that change nothing, and consecutive ones.
#include "support/pass_graphs.h"

namespace broadloom::test::transposes_test {
namespace {

TEST(Transposes, ThatInvertEachOtherAreRemoved) {
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

TEST(Transposes, WithoutAPermInvertEachOther) {
  const Graph graph = through(
      {node("Neg", {"x"}, {"a"}), node("Transpose", {"a"}, {"b"}), node("Transpose", {"b"}, {"c"}), node("Neg", {"c"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Neg(a)");
}

// The error of one must be dropped before the next: debug builds would end otherwise.
TEST(Transposes, WithAnInvalidPermStay) {
  const Graph graph = through(
      {node("Transpose", {"x"}, {"a"}, {ints_of("perm", {0, 0})}), node("Transpose", {"a"}, {"y"}, {ints_of("perm", {1, 1})})});
  EXPECT_EQ(listing(simplify(graph)), "a = Transpose(x); y = Transpose(a)");
}

TEST(Transposes, AreMergedEvenIfTheFirstHasOtherReaders) {
  Graph graph = through({node("Transpose", {"x"}, {"t"}), node("Transpose", {"t"}, {"u"}), node("Neg", {"u"}, {"y"})});
  graph.outputs.push_back(value_info("t", Dtype::undefined));
  EXPECT_EQ(listing(simplify(graph)), "t = Transpose(x); y = Neg(x)");
}

}  // namespace
}  // namespace broadloom::test::transposes_test
