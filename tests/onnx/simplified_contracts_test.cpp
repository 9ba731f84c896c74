// A simplified model keeps inputs with defaults, names that the file refers to, declared sizes, graphs of unknown operators,
// and its size.
#include "support/simplified.h"

namespace broadloom::test::simplified_contracts_test {
namespace {

// A model with additional fields in the graph and in the model.
std::string model_with(const Graph& graph, const Proto& of_graph, const Proto& of_model = {}, std::int64_t opset = 17) {
  return Proto()
      .varint(1, 8)
      .message(8, opset_import(opset))
      .message(8, opset_import(1, "custom"))
      .message(7, graph.proto().raw(of_graph.bytes()))
      .raw(of_model.bytes())
      .bytes();
}

Names names_of_inputs(const broadloom::Graph& graph) { return names_of(graph.inputs); }

bool has_value(const Simplified& result, std::string_view name) { return result.model->find(name) != nullptr; }

TEST(AnInputWithADefault, StaysWithoutReaders) {
  const Graph graph{{node("Shape", {"d"}, {"s"}), node("Expand", {"x", "s"}, {"y"})},
                    {value_info("x", Dtype::float32, {1}), value_info("d", Dtype::float32, {3})},
                    {any("y")},
                    {float_tensor({3}, {1, 2, 3}, "d")}};
  const Simplified result = simplify(graph);
  EXPECT_EQ(names_of_inputs(result.graph()), (Names{"x", "d"}));
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", floats({1}, {5})}, {"d", floats({3}, {7, 8, 9})}}));
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", floats({1}, {5})}})) << "and its default";
}

// ---- Names that the file refers to ----

// A TensorAnnotation: the scale of `value` is the tensor `scale`.
Proto annotation(std::string_view value, std::string_view scale) {
  return Proto().message(14, Proto().string(1, value).message(2, Proto().string(1, "SCALE_TENSOR").string(2, scale)));
}

TEST(AQuantizationAnnotation, KeepsItsTensors) {
  const Graph graph = through({node("Neg", {"x"}, {"h"}), node("Exp", {"h"}, {"y"})}, {float_tensor({}, {0.5F}, "h_scale")});
  const std::string file = model_with(graph, annotation("h", "h_scale"));
  const Simplified result = simplify(file);
  EXPECT_TRUE(has_value(result, "h_scale"));
  EXPECT_NE(result.bytes.find("SCALE_TENSOR"), std::string::npos);
}

TEST(AQuantizationAnnotation, IsRemovedWithItsValue) {
  const Graph graph = through({node("Neg", {"x"}, {"h"}), node("Exp", {"x"}, {"y"})}, {float_tensor({}, {0.5F}, "h_scale")});
  const Simplified result = simplify(model_with(graph, annotation("h", "h_scale")));
  EXPECT_EQ(listing(result), "y = Exp(x)");
  EXPECT_EQ(result.bytes.find("SCALE_TENSOR"), std::string::npos);
}

TEST(AQuantizationAnnotation, KeepsAScaleThatEqualsAnotherConstant) {
  const Graph graph = through({node("Mul", {"x", "one"}, {"h"}), node("Mul", {"h", "two"}, {"y"})},
                              {float_tensor({}, {0.5F}, "one"), float_tensor({}, {0.5F}, "two")});
  const Simplified result = simplify(model_with(graph, Proto().raw(annotation("h", "two").bytes())));
  EXPECT_TRUE(has_value(result, "two"));
}

// tests/js/simplify-named.test.ts has the other ways to lose a value.
TEST(AQuantizationAnnotation, KeepsItsValue) {
  const Graph graph =
      through({node("Identity", {"x"}, {"h"}), node("Exp", {"h"}, {"y"})}, {float_tensor({}, {0.5F}, "h_scale")});
  const Simplified result = simplify(model_with(graph, annotation("h", "h_scale")));
  EXPECT_EQ(listing(result), "h = Identity(x); y = Exp(h)");
  EXPECT_NE(result.bytes.find("SCALE_TENSOR"), std::string::npos);
}

TEST(TrainingInfo, KeepsTheValuesThatItNames) {
  const Graph graph = through({node("Mul", {"x", "w"}, {"y"})},
                              {float_tensor({}, {2}, "w"), float_tensor({}, {3}, "rate"), float_tensor({}, {4}, "unread")});
  Proto algorithm;
  algorithm.message(1, node("Mul", {"w", "rate"}, {"new_w"}));
  const Proto binding = Proto().string(1, "unread").string(2, "new_w");
  const Proto training = Proto().message(20, Proto().message(2, algorithm).message(4, binding));
  const Simplified result = simplify(model_with(graph, {}, training));
  for (const char* name : {"w", "rate", "unread"}) EXPECT_TRUE(has_value(result, name)) << name;
}

// ---- Graphs of unknown operators ----

TEST(AGraphOfAnUnknownOperator, KeepsItsNamesItsOrderAndItsDefaults) {
  const Graph body{{node("Exp", {"h"}, {"i"}), node("Identity", {"i"}, {"y"}), node("Neg", {"i"}, {"unread"})},
                   {any("h"), any("rate"), any("x")},
                   {any("y"), any("i")},
                   {float_tensor({}, {1}, "rate")}};
  const Graph graph =
      through({node("Neg", {"x"}, {"h"}), node("Repeat", {"h"}, {"y"}, {graph_of("body", body)}, "", "custom")});
  const std::string file = model_with(graph, {});
  const Simplified result = simplify(file);
  ASSERT_EQ(result.graph().order.size(), 2U);
  const broadloom::Graph& kept = *result.graph().order[1]->graphs[0].graph;
  EXPECT_EQ(names_of_inputs(kept), (Names{"h", "rate", "x"}));
  EXPECT_EQ(names_of(kept.outputs), (Names{"y", "i"}));
  EXPECT_EQ(kept.initializers.size(), 1U);
  EXPECT_EQ(kept.order.size(), 2U) << "what nobody reads goes there, too";
}

TEST(AGraphOfAnUnknownOperator, KeepsAValueOutsideThatItReadsUnderItsName) {
  // The operator may give its graph an `x` of its own, so `x` cannot take the place of `h` there.
  const Graph body{{node("Exp", {"h"}, {"i"})}, {}, {any("i")}};
  const Graph graph =
      through({node("Identity", {"x"}, {"h"}), node("Repeat", {"x"}, {"y"}, {graph_of("body", body)}, "", "custom")});
  const Simplified result = simplify(model_with(graph, {}));
  ASSERT_EQ(result.graph().order.size(), 2U);
  EXPECT_EQ(result.graph().order[0]->op_type, "Identity");
  const broadloom::Graph& kept = *result.graph().order[1]->graphs[0].graph;
  EXPECT_EQ(kept.order[0]->inputs[0]->name, "h");
}

// ---- Sizes ----

TEST(DeclaredSizes, MoveToTheValueThatReplacesAnother) {
  const Proto x = value_info("x", Dtype::float32);
  Graph graph =
      through({node("Foo", {"x"}, {"a"}, {}, "", "custom"), node("Identity", {"a"}, {"h"}), node("Neg", {"h"}, {"y"})}, {}, x);
  graph.value_infos = {value_info("h", Dtype::float32, {2, 3})};
  const Simplified result = simplify(model_with(graph, {}));
  const Value* left = result.model->find("a");
  ASSERT_NE(left, nullptr);
  ASSERT_NE(left->declared, nullptr);
  EXPECT_TRUE(left->declared->has_shape);
}

TEST(DeclaredSizes, KeepAnIdentityOfAnInputThatDeclaresNone) {
  Graph graph = through({node("Identity", {"x"}, {"h"}), node("Neg", {"h"}, {"y"})}, {}, value_info("x", Dtype::float32));
  EXPECT_EQ(listing(simplify(graph)), "y = Neg(x)");
  graph.value_infos = {value_info("h", Dtype::float32, {2, 3})};
  EXPECT_EQ(listing(simplify(graph)), "h = Identity(x); y = Neg(h)");
}

TEST(DeclaredSizes, KeepARepeatedNodeIfAnOutputWithoutThemWouldReplaceIt) {
  Graph graph{{node("Relu", {"x"}, {"r"}), node("Relu", {"x"}, {"h"}), node("Transpose", {"h"}, {"y"})},
              {value_info("x", Dtype::float32)},
              {any("r"), any("y")}};
  EXPECT_EQ(listing(simplify(graph)), "r = Relu(x); y = Transpose(r)");
  graph.value_infos = {value_info("h", Dtype::float32, {2, 3})};
  EXPECT_EQ(listing(simplify(graph)), "r = Relu(x); h = Relu(x); y = Transpose(h)");
}

// Cast supports the type of `c` only in a newer opset, so only the declaration gives the type of `a`.
TEST(ADeclaredType, ThatContradictsAnUnknownOneStaysWithItsValue) {
  const Graph body{{node("Add", {"s", "s"}, {"n"}), node("Identity", {"go"}, {"on"})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), any("s")},
                   {any("on"), any("n")}};
  const Graph graph{{node("Cast", {"x"}, {"c"}, {int_of("to", static_cast<int>(Dtype::float8e4m3fnuz))}),
                     node("Identity", {"c"}, {"a"}), node("Loop", {"three", "", "a"}, {"w"}, {graph_of("body", body)})},
                    {value_info("x", Dtype::float32, {2})},
                    {any("w")},
                    {int64_tensor({}, {3}, "three")},
                    {},
                    {value_info("a", Dtype::float32)}};
  EXPECT_EQ(listing(simplify(model(graph, 13))).find("Identity(c)") != std::string::npos, true);
}

TEST(SizesWithAPlaceholderName, MayDiffer) {
  for (const char* name : {"None", "?", "unk__1"}) {
    const Graph graph = through({node("Shape", {"x"}, {"y"})}, {}, value_info("x", Dtype::float32, {name, 3, name, name}));
    Wish wish;
    wish.shapes = {{"x", {1, 3, 64, 64}}};
    const Simplified result = simplify(graph, wish);
    EXPECT_EQ(declared((*result.graph().inputs.begin()).info), "float32 [1, 3, 64, 64]");
    ASSERT_FALSE(result.work->warnings().empty());
    EXPECT_NE(result.work->warnings()[0].find(name), std::string_view::npos);
    Wish all;
    all.dims = {{name, 5}};
    EXPECT_EQ(declared((*simplify(graph, all).graph().inputs.begin()).info), "float32 [5, 3, 5, 5]");
  }
}

// ---- Results that make the file larger ----

TEST(AResultThatOnlyMakesTheFileLarger, IsNotWritten) {
  const Graph graph = through({node("ConstantOfShape", {"to"}, {"z"}), node("Concat", {"x", "z"}, {"y"}, {int_of("axis", 0)})},
                              {int64_tensor({2}, {1000, 8}, "to")}, value_info("x", Dtype::float32, {1, 8}));
  Wish wish;
  wish.grows = false;
  const std::string file = model(graph);
  const Simplified result = simplify(file, wish);
  EXPECT_LE(result.bytes.size(), file.size() + 4000);
  EXPECT_EQ(result.work->progress().too_large, 1);
  EXPECT_TRUE(gives_the_same(file, result, {{"x", floats({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8})}}));
  EXPECT_GT(simplify(file).bytes.size(), 32000U) << "on request";
}

TEST(AFoldOfLargeResults, IsWritten) {
  const Graph graph = through({node("ConstantOfShape", {"to"}, {"z"}), node("Exp", {"z"}, {"e"}),
                               node("Concat", {"x", "e"}, {"y"}, {int_of("axis", 0)})},
                              {int64_tensor({2}, {1000, 8}, "to")}, value_info("x", Dtype::float32, {1, 8}));
  Wish wish;
  wish.grows = false;
  EXPECT_EQ(listing(simplify(graph, wish)), "y = Concat(x, e)");
}

TEST(PartsOfALargeConstant, AreWritten) {
  std::vector<float> numbers(4000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  const Graph graph = through({node("Split", {"w"}, {"a", "b"}, {int_of("axis", 0), int_of("num_outputs", 2)}),
                               node("Add", {"x", "a"}, {"c"}), node("Mul", {"c", "b"}, {"y"})},
                              {float_tensor({2, 2000}, numbers, "w")}, value_info("x", Dtype::float32, {1, 2000}));
  Wish wish;
  wish.grows = false;
  EXPECT_EQ(listing(simplify(graph, wish)), "c = Add(x, a); y = Mul(c, b)");
}

TEST(AResultThatIsFoldedFurther, MayBeLarge) {
  const Graph graph = through({node("ConstantOfShape", {"to"}, {"z"}), node("ReduceSum", {"z"}, {"s"}, {int_of("keepdims", 0)}),
                               node("Add", {"x", "s"}, {"y"})},
                              {int64_tensor({2}, {1000, 8}, "to")}, value_info("x", Dtype::float32, {1, 8}));
  Wish wish;
  wish.grows = false;
  EXPECT_EQ(listing(simplify(graph, wish)), "y = Add(x, s)");
}

// ---- Unrolled loops ----

// A Loop of two iterations whose body has an If on `c`. Its scan output has the branch's result for each iteration.
Graph loop_of(Dtype dtype, const Graph& then_branch, const Graph& else_branch) {
  const Graph body{{node("If", {"c"}, {"s"}, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)})},
                   {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {})},
                   {any("go"), any("s")}};
  return {{node("Loop", {"trips", ""}, {"y"}, {graph_of("body", body)})},
          {value_info("x", dtype, {2}), value_info("c", Dtype::boolean, {})},
          {any("y")},
          {int64_tensor({}, {2}, "trips")}};
}

TEST(ALoop, WithASparseInitializerIsUnrolled) {
  Graph then_branch{{node("Add", {"x", "w"}, {"a"})}, {}, {any("a")}};
  then_branch.sparse_initializers = {
      Proto().message(1, float_tensor({1}, {7}, "w")).message(2, int64_tensor({1}, {1})).varints(3, {2})};
  const Graph else_branch{{node("Neg", {"x"}, {"a"})}, {}, {any("a")}};
  const std::string file = model(loop_of(Dtype::float32, then_branch, else_branch));
  Wish wish;
  wish.unroll = 4;
  const Simplified result = simplify(file, wish);
  EXPECT_EQ(result.count(PassKind::unroll), 1);
  for (const bool holds : {true, false}) {
    EXPECT_TRUE(gives_the_same(file, result, {{"x", floats({2}, {1, -2})}, {"c", flag(holds)}}));
  }
}

TEST(ALoop, WithResultsThatConcatDoesNotSupportStays) {
  for (const Dtype dtype : {Dtype::uint4, Dtype::float8e4m3fn, Dtype::float4e2m1}) {
    const Graph then_branch{{node("Identity", {"x"}, {"a"})}, {}, {value_info("a", dtype)}};
    const Graph else_branch{{node("Transpose", {"x"}, {"a"})}, {}, {value_info("a", dtype)}};
    Graph graph = loop_of(dtype, then_branch, else_branch);
    graph.outputs = {value_info("y", dtype)};
    Wish wish;
    wish.unroll = 4;
    EXPECT_EQ(simplify(graph, wish).count(PassKind::unroll), 0);
  }
}

}  // namespace
}  // namespace broadloom::test::simplified_contracts_test
