// Each pass of the table, alone: it fires under its name, does nothing if skipped, and keeps every bit if it is exact.
#include "support/simplified.h"

namespace broadloom::test::passes_test {
namespace {

const Proto matrix = value_info("x", Dtype::float32, {2, 3});
const Proto image = value_info("x", Dtype::float32, {1, 1, 2, 2});

struct Case {
  Pass pass;
  Graph graph;
};

Graph with_body(const char* op_type, const std::vector<std::string>& inputs, const std::vector<Proto>& attributes,
                const std::vector<Proto>& initializers) {
  return through({node(op_type, inputs, {"y"}, attributes)}, initializers, matrix);
}

Graph if_of_constant() {
  const Graph yes{{node("Neg", {"x"}, {"a"})}, {}, {value_info("a", Dtype::float32)}};
  const Graph no{{node("Exp", {"x"}, {"b"})}, {}, {value_info("b", Dtype::float32)}};
  return with_body("If", {"c"}, {graph_of("then_branch", yes), graph_of("else_branch", no)},
                   {raw_tensor(Dtype::boolean, {}, "\1", "c")});
}

// One branch squeezes an axis of size 2: it always fails.
Graph if_with_one_branch() {
  const Graph yes{{node("Squeeze", {"x", "k"}, {"a"})}, {}, {value_info("a", Dtype::float32)}};
  const Graph no{{node("Exp", {"x"}, {"b"})}, {}, {value_info("b", Dtype::float32)}};
  return through({node("ReduceSum", {"x"}, {"r"}), node("Greater", {"r", "r"}, {"g"}), node("Squeeze", {"g"}, {"c"}),
                  node("If", {"c"}, {"y"}, {graph_of("then_branch", yes), graph_of("else_branch", no)})},
                 {int64_tensor({1}, {0}, "k")}, matrix);
}

Graph loop_of_two() {
  const Graph body{{node("Identity", {"go"}, {"on"}), node("Neg", {"v"}, {"w"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), value_info("v", Dtype::float32)},
                   {value_info("on", Dtype::boolean), value_info("w", Dtype::float32)}};
  return with_body("Loop", {"n", "", "x"}, {graph_of("body", body)}, {int64_tensor({}, {2}, "n")});
}

const Proto weights = float_tensor({1, 1, 1, 1}, {2}, "w");
const Proto conv = node("Conv", {"x", "w"}, {"a"}, {ints_of("kernel_shape", {1, 1})});

std::vector<Case> cases() {
  using enum Pass;
  const auto one = [](Pass pass, const Proto& between, const std::vector<Proto>& initializers = {}) {
    return Case{pass, through({node("Add", {"x", "x"}, {"a"}), between, node("Add", {"b", "b"}, {"y"})}, initializers, matrix)};
  };
  const auto chain = [](Pass pass, const std::vector<Proto>& nodes, const std::vector<Proto>& initializers = {},
                        const Proto& x = matrix) {
    return Case{pass, through(nodes, initializers, x)};
  };
  const Proto both = int64_tensor({2}, {2, 3}, "k");
  const Proto per_channel = float_tensor({1}, {3}, "k");
  return {
      {fold_constants,
       through({node("Neg", {"k"}, {"b"}), node("Add", {"x", "b"}, {"y"})}, {float_tensor({}, {1}, "k")}, matrix)},
      {extract_constant_to_initializer,
       through(
           {node("Constant", {}, {"b"}, {tensor_of_attribute("value", float_tensor({}, {1}))}), node("Add", {"x", "b"}, {"y"})},
           {}, matrix)},
      {decide_conditions, if_with_one_branch()},
      {inline_if, if_of_constant()},
      {unroll_loop, loop_of_two()},
      chain(eliminate_common_subexpression,
            {node("Exp", {"x"}, {"a"}), node("Exp", {"x"}, {"b"}), node("Sub", {"a", "b"}, {"y"})}),
      chain(eliminate_duplicate_initializer, {node("Mul", {"x", "a"}, {"c"}), node("Div", {"c", "b"}, {"y"})},
            {float_tensor({}, {3}, "a"), float_tensor({}, {3}, "b")}),
      chain(eliminate_dead_code, {node("Neg", {"x"}, {"y"}), node("Exp", {"x"}, {"a"})}),
      chain(eliminate_unused_initializer, {node("Neg", {"x"}, {"y"})}, {float_tensor({}, {3}, "a")}),
      one(eliminate_identity, node("Identity", {"a"}, {"b"})),
      one(eliminate_nop_dropout, node("Dropout", {"a"}, {"b"})),
      one(eliminate_nop_cast, cast("a", "b", Dtype::float32)),
      one(eliminate_nop_concat, node("Concat", {"a"}, {"b"}, {int_of("axis", 0)})),
      chain(eliminate_consecutive_idempotent_ops,
            {node("Relu", {"x"}, {"a"}), node("Relu", {"a"}, {"b"}), node("Neg", {"b"}, {"y"})}),
      one(eliminate_nop_transpose, node("Transpose", {"a"}, {"b"}, {ints_of("perm", {0, 1})})),
      one(eliminate_nop_reshape, node("Reshape", {"a", "k"}, {"b"}), {both}),
      one(eliminate_nop_with_unit, node("Mul", {"a", "k"}, {"b"}), {float_tensor({}, {1}, "k")}),
      one(eliminate_nop_expand, node("Expand", {"a", "k"}, {"b"}), {both}),
      one(eliminate_nop_tile, node("Tile", {"a", "k"}, {"b"}), {int64_tensor({2}, {1, 1}, "k")}),
      one(eliminate_nop_split, node("Split", {"a"}, {"b"}, {int_of("num_outputs", 1)})),
      one(eliminate_nop_slice, node("Slice", {"a", "k", "e"}, {"b"}),
          {int64_tensor({1}, {0}, "k"), int64_tensor({1}, {9}, "e")}),
      one(eliminate_nop_pad, node("Pad", {"a", "k"}, {"b"}), {int64_tensor({4}, {0, 0, 0, 0}, "k")}),
      chain(eliminate_zero_states, {node("RNN", {"x", "w", "r", "", "", "h"}, {"", "y"}, {int_of("hidden_size", 1)})},
            {float_tensor({1, 1, 1}, {1}, "w"), float_tensor({1, 1, 1}, {1}, "r"), float_tensor({1, 1, 1}, {0}, "h")},
            value_info("x", Dtype::float32, {2, 1, 1})),
      chain(merge_transposes,
            {node("Transpose", {"x"}, {"a"}, {ints_of("perm", {1, 2, 0})}),
             node("Transpose", {"a"}, {"y"}, {ints_of("perm", {1, 0, 2})})},
            {}, value_info("x", Dtype::float32, {2, 3, 4})),
      chain(merge_casts, {cast("x", "a", Dtype::float64), cast("a", "b", Dtype::float32), node("Neg", {"b"}, {"y"})}, {},
            value_info("x", Dtype::float16, {2})),
      chain(merge_concats, {node("Concat", {"x", "x"}, {"a"}, {int_of("axis", 0)}), node("Neg", {"x"}, {"c"}),
                            node("Concat", {"a", "c"}, {"y"}, {int_of("axis", 0)})}),
      chain(merge_slices, {node("Slice", {"x", "z", "o", "z"}, {"a"}), node("Slice", {"a", "z", "o", "o"}, {"y"})},
            {int64_tensor({1}, {0}, "z"), int64_tensor({1}, {1}, "o")}),
      chain(merge_reshapes, {node("Reshape", {"x", "k"}, {"a"}), node("Reshape", {"a", "l"}, {"y"})},
            {int64_tensor({1}, {6}, "k"), int64_tensor({2}, {3, 2}, "l")}),
      chain(merge_squeezes, {node("Unsqueeze", {"x", "k"}, {"a"}), node("Unsqueeze", {"a", "l"}, {"y"})},
            {int64_tensor({1}, {0}, "k"), int64_tensor({1}, {3}, "l")}),
      chain(merge_reduce_unsqueeze,
            {node("ReduceSum", {"x", "k"}, {"a"}, {int_of("keepdims", 0)}), node("Unsqueeze", {"a", "k"}, {"y"})},
            {int64_tensor({1}, {1}, "k")}),
      chain(merge_not_where,
            {node("Greater", {"x", "k"}, {"c"}), node("Not", {"c"}, {"n"}), node("Where", {"n", "x", "k"}, {"y"})},
            {int64_tensor({}, {3}, "k")}, value_info("x", Dtype::int64, {2})),
      chain(fold_reshape_target,
            {node("Shape", {"x"}, {"s"}), node("Concat", {"s", "one"}, {"t"}, {int_of("axis", 0)}),
             node("Reshape", {"x", "t"}, {"y"})},
            {int64_tensor({1}, {1}, "one")}, value_info("x", Dtype::float32, {"n", 3})),
      chain(fold_expand_target,
            {node("Shape", {"x"}, {"s"}), node("Concat", {"two", "s"}, {"t"}, {int_of("axis", 0)}),
             node("Expand", {"x", "t"}, {"y"})},
            {int64_tensor({1}, {2}, "two")}, value_info("x", Dtype::float32, {"n", 3})),
      chain(fold_slice_ends,
            {node("Shape", {"x"}, {"s"}), node("Slice", {"s", "zero", "one"}, {"e"}),
             node("Slice", {"x", "one", "e", "zero"}, {"y"})},
            {int64_tensor({1}, {0}, "zero"), int64_tensor({1}, {1}, "one")}, value_info("x", Dtype::float32, {"n", 3})),
      one(eliminate_nop_add, node("Add", {"a", "k"}, {"b"}), {float_tensor({}, {0}, "k")}),
      one(eliminate_nop_pow, node("Pow", {"a", "k"}, {"b"}), {float_tensor({}, {1}, "k")}),
      chain(fuse_not_into_where,
            {node("Greater", {"x", "k"}, {"c"}), node("Not", {"c"}, {"n"}), node("Where", {"n", "x", "k"}, {"y"})},
            {float_tensor({}, {3}, "k")}),
      chain(fuse_bn_into_conv, {conv, node("BatchNormalization", {"a", "k", "k", "k", "k"}, {"y"})}, {weights, per_channel},
            image),
      chain(fuse_mul_into_conv, {conv, node("Mul", {"a", "k"}, {"y"})}, {weights, per_channel}, image),
      chain(fuse_add_bias_into_conv, {conv, node("Add", {"a", "k"}, {"y"})}, {weights, per_channel}, image),
      chain(fuse_mul_into_next_conv, {node("Mul", {"x", "k"}, {"a"}), node("Conv", {"a", "w"}, {"y"})}, {weights, per_channel},
            image),
      chain(fuse_pad_into_conv, {node("Pad", {"x", "k"}, {"a"}), node("Conv", {"a", "w"}, {"y"})},
            {weights, int64_tensor({8}, {0, 0, 1, 1, 0, 0, 1, 1}, "k")}, image),
      chain(fuse_matmul_add_bias_into_gemm, {node("MatMul", {"x", "w"}, {"a"}), node("Add", {"a", "k"}, {"y"})},
            {float_tensor({3, 1}, {1, 2, 3}, "w"), per_channel}),
      chain(fuse_transpose_into_gemm, {node("Transpose", {"x"}, {"a"}), node("Gemm", {"a", "w"}, {"y"})},
            {float_tensor({2, 1}, {1, 2}, "w")}),
      chain(fuse_log_softmax, {node("Softmax", {"x"}, {"a"}), node("Log", {"a"}, {"y"})}),
  };
}

std::int64_t count(const Simplified& result, Pass pass) { return result.count(pass); }

TEST(Passes, EachFiresUnderItsNameAndCanBeSkipped) {
  std::vector<bool> seen(pass_count);
  for (const Case& one : cases()) {
    const std::string_view name = info(one.pass).name;
    seen[static_cast<std::size_t>(one.pass)] = true;
    Wish wish;
    wish.unroll = 4;
    wish.fuses = info(one.pass).keeps == Keeps::values;
    const Simplified result = simplify(one.graph, wish);
    EXPECT_GE(count(result, one.pass), 1) << name << ": " << listing(result);
    wish.skipped = {one.pass};
    const Simplified skipped = simplify(one.graph, wish);
    EXPECT_EQ(count(skipped, one.pass), 0) << name;
    EXPECT_NE(result.bytes, skipped.bytes) << name;
  }
  // tests/onnx/simplified_functions_test.cpp has functions.
  seen[static_cast<std::size_t>(Pass::inline_functions)] = true;
  // tests/graph/rewrite/optimize_test.cpp has those for runs.
  for (std::size_t i = 0; i < pass_count; ++i) {
    EXPECT_TRUE(seen[i] || passes[i].use == PassUse::runs) << passes[i].name << " has no case";
  }
}

TEST(Passes, AreFoundByTheirNames) {
  for (std::size_t i = 0; i < pass_count; ++i) {
    const auto wanted = passes[i].use == PassUse::runs ? std::nullopt : std::optional(static_cast<Pass>(i));
    EXPECT_EQ(find_pass(passes[i].name), wanted);
    EXPECT_EQ(near_pass(passes[i].name), wanted);
  }
  EXPECT_EQ(find_pass("merge_transpose"), std::nullopt);
  EXPECT_EQ(near_pass("merge_transpose"), Pass::merge_transposes);
  EXPECT_EQ(near_pass("eliminate_identities"), Pass::eliminate_identity);
  for (const char* name : {"", "foo", "eliminate_foo", "constant_folding"}) EXPECT_EQ(near_pass(name), std::nullopt) << name;
}

// Finds the change that makes a result wrong: here, the one that removes the Exp.
TEST(ANumberOfSteps, FindsTheChange) {
  const Graph graph = through({node("Identity", {"x"}, {"a"}), node("Neg", {"a"}, {"b"}), node("Identity", {"b"}, {"c"}),
                               node("Exp", {"c"}, {"d"}), node("Exp", {"c"}, {"e"}), node("Add", {"d", "e"}, {"y"})},
                              {}, matrix);
  const auto is_right = [&](std::int64_t steps) {
    Wish wish;
    wish.steps = steps;
    const Simplified result = simplify(graph, wish);
    EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", floats({2, 3}, {1, 2, 3, 4, 5, 6})}}));
    return listing(result).find("e = Exp") != std::string::npos;
  };
  std::int64_t right = 0;
  std::int64_t wrong = 16;
  ASSERT_TRUE(is_right(right) && !is_right(wrong));
  while (wrong - right > 1) (is_right((right + wrong) / 2) ? right : wrong) = (right + wrong) / 2;
  EXPECT_EQ(wrong, 3) << "after two Identities, equal nodes are merged";
}

TEST(AProduct, WithASumThatIsLargerStaysAProduct) {
  const Graph graph{{node("MatMul", {"x", "w"}, {"a"}), node("Add", {"a", "k"}, {"y"})},
                    {value_info("x", Dtype::float32, {1, 3})},
                    {value_info("y", Dtype::float32)},
                    {float_tensor({3, 1}, {1, 2, 3}, "w"), float_tensor({2, 1}, {1, 2}, "k")}};
  EXPECT_EQ(listing(simplify(graph)), "a = MatMul(x, w); y = Add(a, k)");
}

}  // namespace
}  // namespace broadloom::test::passes_test
