// Reductions followed by an Unsqueeze of the reduced axes.
#include "support/pass_graphs.h"

namespace broadloom::test::reductions_test {
namespace {

TEST(Reductions, KeepTheAxesThatAnUnsqueezeRestores) {
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

}  // namespace
}  // namespace broadloom::test::reductions_test
