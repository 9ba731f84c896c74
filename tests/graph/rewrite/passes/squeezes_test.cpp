// Consecutive Squeezes and Unsqueezes.
#include "support/pass_graphs.h"

namespace broadloom::test::squeezes_test {
namespace {

TEST(UnsqueezesAndSqueezes, InARowAreMerged) {
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

TEST(UnsqueezesAndSqueezes, WithAxesAsAttributesAreMerged) {
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

}  // namespace
}  // namespace broadloom::test::squeezes_test
