// Types, dims and elements that are known before a run.
#include "graph/infer/shape_inference.h"

#include "support/inferred.h"

namespace broadloom::shape_inference_test {
namespace {

using test::float_tensor;
using test::Graph;
using test::int64_tensor;
using test::must;
using test::node;
using test::sizes_of;
using test::value_info;

TEST(ShapeInference, DistinguishesNumbersNamesAndUnknownSizes) {
  EXPECT_EQ(sizes_of({{node("Identity", {"x"}, {"y"})}, {value_info("x", Dtype::int4, {3, "n", "", "m", 0, 1, "n"})}}),
            "3 n ? m 0 1 n");
}

TEST(ShapeInference, DistinguishesNumbersFromNames) {
  for (int size = 0; size < 20; ++size) {
    const Graph graph{{node("Identity", {"x"}, {"y"})}, {value_info("x", Dtype::int4, {"a", size, "b", "", size})}};
    const std::string number = std::to_string(size);
    EXPECT_EQ(sizes_of(graph), "a " + number + " b ? " + number);
  }
}

TEST(ShapeInference, FollowsElementsThatAreDims) {
  const std::vector<test::Proto> nodes{node("Shape", {"x"}, {"s"}), node("Identity", {"s"}, {"t"}),
                                       node("ConstantOfShape", {"t"}, {"y"})};
  EXPECT_EQ(sizes_of({nodes, {value_info("x", Dtype::string, {2, "n", ""})}}), "2 n ?");
}

TEST(ShapeInference, OnlyTheNumberOfElementsOfInputsIsKnown) {
  EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64, {2})}}), "? ?");
  EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64, {"n"})}}), "unknown");
  EXPECT_EQ(sizes_of({{node("Expand", {"x", "s"}, {"y"})},
                      {value_info("x", Dtype::int8, {1, 7, 0, "n"}), value_info("s", Dtype::int64, {3})}}),
            "1 7 0 ?");
}

TEST(ShapeInference, AnInitializerIsKnownAndADefaultOfAnInputIsNot) {
  const Graph graph{{node("ConstantOfShape", {"s"}, {"y"})}, {}, {}, {int64_tensor({2}, {4, 5}, "s")}};
  EXPECT_EQ(sizes_of(graph), "4 5");
  // A feed may replace a default, but must have the declared dims.
  Graph open = graph;
  open.inputs = {value_info("s", Dtype::int64, {"n"})};
  EXPECT_EQ(sizes_of(open), "unknown");
  open.nodes = {node("Shape", {"s"}, {"y"})};
  EXPECT_EQ(sizes_of(open), "1");
  open.nodes = {node("Identity", {"s"}, {"y"})};
  EXPECT_EQ(sizes_of(open), "n");
  open.inputs = {value_info("s", Dtype::int64)};
  EXPECT_EQ(sizes_of(open), "unknown");
}

TEST(ShapeInference, DeclaredDimsOfUnsupportedNodesAreKnownAfterThemOnly) {
  Graph graph{{node("Weave", {}, {"a"})}, {}, {}, {}, {}, {value_info("a", Dtype::int8, {"n", 2})}};
  EXPECT_EQ(sizes_of(graph), "unknown");
  graph.nodes.push_back(node("Identity", {"a"}, {"b"}));
  EXPECT_EQ(sizes_of(graph), "n 2");
}

TEST(ShapeInference, ABroadcastIsKnownIfItIsTheSameInEveryRun) {
  const auto broadcast = [](test::Size a, std::int64_t b) {
    return sizes_of(
        {{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {a})}, {}, {int64_tensor({1}, {b}, "s")}});
  };
  EXPECT_EQ(broadcast("n", 7), "7");  // n is 1 or 7
  EXPECT_EQ(broadcast("n", 1), "n");
  EXPECT_EQ(broadcast("n", 0), "0");
  EXPECT_EQ(broadcast(1, 7), "7");
}

TEST(ShapeInference, ABroadcastOfTwoNamesIsNeither) {
  const std::vector<test::Proto> nodes{node("Shape", {"b"}, {"s"}), node("Expand", {"a", "s"}, {"y"})};
  const std::vector<test::Proto> inputs{value_info("a", Dtype::int8, {"n", "n"}), value_info("b", Dtype::int8, {"n", "m"})};
  EXPECT_EQ(sizes_of({nodes, inputs}), "n ?");
}

TEST(ShapeInference, ANodeThatFailsInEveryRunMakesNothingKnown) {
  EXPECT_EQ(
      sizes_of({{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {3})}, {}, {int64_tensor({1}, {7}, "s")}}),
      "unknown");
}

// Words that stand for no number.
constexpr std::int64_t highest = Size::highest_reserved;
constexpr std::int64_t reserved[] = {highest, highest - 1, highest - 7, highest - 1000000, highest - (std::int64_t{1} << 31)};

TEST(ShapeInference, IntegersOfAFileAreNotTakenForExpressions) {
  for (const std::int64_t number : reserved) {
    EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"s"}, {"y"})}, {}, {}, {int64_tensor({1}, {number}, "s")}}), "?");
  }
}

TEST(ShapeInference, IntegersOfInt32AreNotTakenForExpressions) {
  for (const std::int32_t number : {Size::highest_int32, Size::highest_int32 - 1, INT32_MIN + 1}) {
    const std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
    const auto tensor = test::raw_tensor(Dtype::int32, {1}, bytes, "e");
    const Graph slice{{node("Shape", {"x"}, {"s"}), node("Cast", {"s"}, {"c"}, {test::int_of("to", 6)}),
                       node("Slice", {"x", "c", "e"}, {"y"})},
                      {value_info("x", Dtype::float32, {"N"})},
                      {},
                      {tensor}};
    EXPECT_EQ(sizes_of(slice), "?");
    const auto value = test::tensor_of_attribute("value", tensor);
    EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"s"}, {"t"}, {value}), node("Cast", {"t"}, {"l"}, {test::int_of("to", 7)}),
                         node("ConstantOfShape", {"l"}, {"y"})},
                        {},
                        {},
                        {int64_tensor({1}, {1}, "s")}}),
              "?");
  }
}

TEST(ShapeInference, IntegersOfAnAttributeAreNotTakenForExpressions) {
  for (const std::int64_t number : reserved) {
    const auto value = test::tensor_of_attribute("value", int64_tensor({1}, {number}));
    EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"s"}, {"t"}, {value}), node("ConstantOfShape", {"t"}, {"y"})},
                        {},
                        {},
                        {int64_tensor({1}, {1}, "s")}}),
              "?");
  }
}

TEST(ShapeInference, IntegersOfAttributesThatSayHowManyAreNotTakenForExpressions) {
  for (const std::int64_t number : reserved) {
    const auto of_x = [&](const char* op, const std::vector<test::Proto>& attributes, std::int64_t opset) {
      return sizes_of({{node(op, {"x"}, {"y"}, attributes)}, {value_info("x", Dtype::float32, {"n", 3})}}, opset);
    };
    EXPECT_EQ(of_x("Slice", {test::ints_of("starts", {number}), test::ints_of("ends", {5})}, 1), "? 3");
    EXPECT_EQ(of_x("Slice", {test::ints_of("starts", {0}), test::ints_of("ends", {number})}, 1), "? 3");
    EXPECT_EQ(of_x("Reshape", {test::ints_of("shape", {number, 3})}, 1), "? 3");
    EXPECT_EQ(of_x("Pad", {test::ints_of("pads", {number, 0, 0, 0})}, 2), "? 3");
    EXPECT_EQ(of_x("Split", {test::ints_of("split", {number})}, 2), "? 3");
    const auto largest = node("TopK", {"x"}, {"y", "i"}, {test::int_of("k", number), test::int_of("axis", 0)});
    EXPECT_EQ(sizes_of({{largest}, {value_info("x", Dtype::float32, {"n", 3})}}, 1), "? 3");
  }
}

TEST(ShapeInference, ADepthOfAnotherTypeIsNotTakenForAnExpression) {
  const double number = -0x1p62 - 0x1p20;
  const auto depth = test::raw_tensor(Dtype::float64, {}, {reinterpret_cast<const char*>(&number), sizeof number}, "d");
  const auto values = test::raw_tensor(Dtype::boolean, {2}, "\1\1", "v");
  const Graph graph{{node("OneHot", {"x", "d", "v"}, {"y"})}, {value_info("x", Dtype::int64, {"n"})}, {}, {depth, values}};
  EXPECT_EQ(sizes_of(graph), "n ?");
}

// The size of y: an Expand to the shape [v], where `nodes` compute v from x of dims [N, M].
std::string sizes_through(const std::vector<test::Proto>& nodes) {
  std::vector<test::Proto> all{node("Shape", {"x"}, {"s"}), node("Gather", {"s", "zero"}, {"n"}),
                               node("Gather", {"s", "one"}, {"m"})};
  all.insert(all.end(), nodes.begin(), nodes.end());
  all.push_back(node("Unsqueeze", {"v", "axes"}, {"shape"}));
  all.push_back(node("ConstantOfShape", {"shape"}, {"y"}));
  return sizes_of({all,
                   {value_info("x", Dtype::float32, {"N", "M"})},
                   {},
                   {int64_tensor({}, {0}, "zero"), int64_tensor({}, {1}, "one"), int64_tensor({}, {2}, "two"),
                    int64_tensor({1}, {0}, "axes"), int64_tensor({}, {std::int64_t{1} << 62}, "large"),
                    int64_tensor({}, {3000}, "thousands")}});
}

TEST(ShapeInference, ArithmeticOnSizesIsSymbolic) {
  EXPECT_EQ(sizes_through({node("Mul", {"n", "two"}, {"d"}), node("Add", {"d", "one"}, {"v"})}), "2*N + 1");
  EXPECT_EQ(sizes_through({node("Mul", {"n", "m"}, {"p"}), node("Div", {"p", "two"}, {"v"})}), "floor((N*M)/(2))");
  EXPECT_EQ(sizes_through({node("Sub", {"n", "n"}, {"d"}), node("Add", {"d", "two"}, {"v"})}), "2");
  EXPECT_EQ(sizes_through({node("Max", {"n", "zero"}, {"v"})}), "N");
}

TEST(ShapeInference, ArithmeticOnSizesInInt32IsSymbolic) {
  const auto to_int32 = node("Cast", {"n"}, {"i"}, {test::int_of("to", 6)});
  const auto to_int64 = node("Cast", {"j"}, {"v"}, {test::int_of("to", 7)});
  const auto through_int32 = [&](const test::Proto& computation) {
    return sizes_through({to_int32, node("Cast", {"two"}, {"two_"}, {test::int_of("to", 6)}), computation, to_int64});
  };
  EXPECT_EQ(through_int32(node("Identity", {"i"}, {"j"})), "N");
  EXPECT_EQ(through_int32(node("Mul", {"i", "two_"}, {"j"})), "2*N");
  EXPECT_EQ(through_int32(node("Div", {"i", "two_"}, {"j"})), "floor((N)/(2))");
  EXPECT_EQ(through_int32(node("ReduceProd", {"i"}, {"j"})), "N");
  EXPECT_EQ(through_int32(node("CastLike", {"i", "two_"}, {"j"})), "N");
  EXPECT_EQ(through_int32(node("Max", {"i", "two_"}, {"j"})), "N - min(N, 2) + 2");
}

TEST(ShapeInference, SlicesTakeSizesOfInt32) {
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("Cast", {"s"}, {"i"}, {test::int_of("to", 6)}),
                     node("Slice", {"z", "start", "i"}, {"y"})},
                    {value_info("x", Dtype::float32, {"N"}), value_info("z", Dtype::float32, {"M"})},
                    {},
                    {test::raw_tensor(Dtype::int32, {1}, std::string(4, '\0'), "start")}};
  EXPECT_EQ(sizes_of(graph), "min(M, N)");
}

TEST(ShapeInference, ASizeThatMayWrapAroundIsUnknown) {
  const auto cast = [](const char* from, const char* to, int type) {
    return node("Cast", {from}, {to}, {test::int_of("to", type)});
  };
  EXPECT_EQ(sizes_through({node("Mul", {"n", "large"}, {"d"}), node("Div", {"d", "large"}, {"v"})}), "?");
  EXPECT_EQ(sizes_through({cast("large", "i", 6), cast("i", "v", 7)}), "?");
  EXPECT_EQ(sizes_through({node("Mul", {"n", "thousands"}, {"d"}), cast("d", "i", 6), cast("i", "v", 7)}), "?");
  EXPECT_EQ(sizes_through({cast("n", "i", 6), cast("thousands", "t", 6), node("Mul", {"i", "t"}, {"p"}), cast("p", "v", 7)}),
            "?");
}

TEST(ShapeInference, AProofKnowsNoSizeThatWentThroughInt32) {
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("Cast", {"s"}, {"i"}, {test::int_of("to", 6)}),
                     node("Cast", {"i"}, {"l"}, {test::int_of("to", 7)}), node("ConstantOfShape", {"l"}, {"y"})},
                    {value_info("x", Dtype::float32, {"N", 3})}};
  EXPECT_EQ(sizes_of(graph), "N 3");
  const test::ModelPtr loaded = must(read_model(test::model(graph, 25), {Unsupported::allowed}));
  ShapeInference inference(*loaded, true);
  ASSERT_TRUE(inference.run());
  EXPECT_EQ(sizes_of(*loaded, inference, *test::records(loaded->graph->nodes).back()->outputs[0]), "? 3");
}

TEST(ShapeInference, DeclaredSizesNearTheLimitOverflowNothing) {
  const auto sizes = [](const test::Proto& one, const std::vector<test::Proto>& inputs) {
    return sizes_of({{one}, inputs, {}, {int64_tensor({2}, {1, 1}, "pads")}});
  };
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(sizes(node("Pad", {"x", "pads"}, {"y"}), {value_info("x", Dtype::float32, {INT64_MAX})}), "?");
  EXPECT_NE(sizes(node("Pad", {"x", "pads", "v"}, {"y"}),
                  {value_info("x", Dtype::float32, {2}), value_info("v", Dtype::float32, {huge, 4})}),
            "");
  EXPECT_NE(sizes(node("Range", {"a", "b", "c"}, {"y"}),
                  {value_info("a", Dtype::int64, {huge, 4}), value_info("b", Dtype::int64, {huge, 4}),
                   value_info("c", Dtype::int64, {})}),
            "");
}

TEST(ShapeInference, NormalizationsAreKnownInOpsetsBeforeTheirFirst) {
  const Graph graph{{node("LayerNormalization", {"x", "k"}, {"y"})},
                    {value_info("x", Dtype::float32, {"n", 2}), value_info("k", Dtype::float32, {2})},
                    {}};
  const test::ModelPtr model = test::must(read_model(test::model(graph, 11)));
  EXPECT_TRUE(test::records(model->graph->nodes)[0]->runs());
  EXPECT_EQ(sizes_of(graph, 11), "n 2");
}

TEST(ShapeInference, ModOfAnUnknownTypeMayBeOfIntegers) {
  const Graph graph{{node("Weave", {}, {"a"}), node("Mod", {"a", "a"}, {"y"})},
                    {},
                    {},
                    {},
                    {},
                    {value_info("a", Dtype::undefined, {"n", 2})}};
  EXPECT_EQ(sizes_of(graph), "n 2");
}

// Its prepare is still called, and may read required inputs and outputs.
TEST(ShapeInference, ANodeOfTypesThatAreNotAllowedHasAllInputsAndOutputs) {
  const auto error_of = [](const char* op, const test::Names& inputs) {
    const Graph graph{{node(op, inputs, {"y"})}, {value_info("x", Dtype::string, {"n", 3})}};
    const auto model = read_model(test::model(graph, 11), {Unsupported::allowed});
    return model ? std::string("none") : std::string(model.error()->message.view());
  };
  EXPECT_EQ(error_of("TopK", {"x", "x"}), "graph.node[0], '#0': TopK-11: takes 2 outputs, got 1");
  EXPECT_EQ(error_of("Max", {"x", ""}), "graph.node[0], '#0': Max-8: input 1 ('data_0') is missing");
  EXPECT_EQ(error_of("Abs", {"x"}), "none");
}

TEST(ShapeInference, NothingBuildsOnDeclaredDimsThatARunMayProveWrong) {
  const Graph graph{{node("ConstantOfShape", {"s"}, {"t"}), node("Identity", {"t"}, {"y"})},
                    {value_info("s", Dtype::int64)},
                    {},
                    {},
                    {},
                    {value_info("t", Dtype::float32, {2, 3})}};
  EXPECT_EQ(sizes_of(graph), "unknown");
}

// The final dims of a Loop's state "s", which starts as x of dims [n, 2]. `step` computes the next state.
std::string sizes_of_state(const test::Proto& step) {
  Graph body{
      {step}, {value_info("i", Dtype::int64, {}), value_info("c", Dtype::boolean, {}), value_info("s", Dtype::int64)}, {}};
  body.outputs = {value_info("c", Dtype::boolean), value_info("t", Dtype::int64)};
  return sizes_of({{node("Loop", {"trips", "", "x"}, {"y"}, {test::graph_of("body", body)})},
                   {value_info("trips", Dtype::int64, {}), value_info("x", Dtype::int64, {"n", 2})},
                   {},
                   {int64_tensor({1}, {0}, "zero"), int64_tensor({2}, {1, 5}, "row")}});
}

TEST(ShapeInference, SizesOfAStateThatALoopKeepsAreKnownAndChangedOnesAreNot) {
  EXPECT_EQ(sizes_of_state(node("Neg", {"s"}, {"t"})), "n 2");
  EXPECT_EQ(sizes_of_state(node("Concat", {"s", "s"}, {"t"}, {test::int_of("axis", 0)})), "? 2");
  EXPECT_EQ(sizes_of_state(node("Transpose", {"s"}, {"t"})), "? ?");
  EXPECT_EQ(sizes_of_state(node("Unsqueeze", {"s", "zero"}, {"t"})), "unknown");
  EXPECT_EQ(sizes_of_state(node("Expand", {"x", "row"}, {"t"})), "unknown");  // every run fails
}

TEST(ShapeInference, ALoopThatAlsoCarriesASequenceHasItsDimsAllTheSame) {
  const auto sequence = [](std::string_view name) {
    return test::Proto().string(1, name).message(2, test::Proto().message(4, test::Proto()));
  };
  Graph body{
      {node("Neg", {"s"}, {"t"}), node("SequenceInsert", {"q", "t"}, {"r"})},
      {value_info("i", Dtype::int64, {}), value_info("c", Dtype::boolean, {}), value_info("s", Dtype::int64), sequence("q")},
      {value_info("c", Dtype::boolean), value_info("t", Dtype::int64), sequence("r")}};
  EXPECT_EQ(sizes_of({{node("SequenceEmpty", {}, {"p"}),
                       node("Loop", {"trips", "", "x", "p"}, {"y", "z"}, {test::graph_of("body", body)})},
                      {value_info("trips", Dtype::int64, {}), value_info("x", Dtype::int64, {"n", 2})},
                      {}}),
            "n 2");
}

TEST(ShapeInference, LoopsInLoopsAreGoneThroughOnlySoOften) {
  // Without a limit, each loop is inferred twice for each time that the outer loop is.
  Graph body{{node("Concat", {"s", "s"}, {"t"}, {test::int_of("axis", 0)})}, {}, {}};
  for (int depth = 0; depth < 25; ++depth) {
    body.inputs = {value_info("i", Dtype::int64, {}), value_info("c", Dtype::boolean, {}), value_info("s", Dtype::int64)};
    body.outputs = {value_info("c", Dtype::boolean), value_info("t", Dtype::int64)};
    const test::Proto inner = node("Loop", {"trips", "", "s"}, {"t"}, {test::graph_of("body", body)});
    body.nodes = {inner};
  }
  const Graph graph{{node("Loop", {"trips", "", "x"}, {"y"}, {test::graph_of("body", body)})},
                    {value_info("trips", Dtype::int64, {}), value_info("x", Dtype::int64, {"n", 2})}};
  EXPECT_EQ(sizes_of(graph), "unknown");
}

TEST(ShapeInference, DeclaredSizesReplaceUnknownOnesInAModelThatCannotRun) {
  Graph graph{{node("NonZero", {"x"}, {"a"}), node("Weave", {"a"}, {"w"}), node("Identity", {"a"}, {"b"})},
              {value_info("x", Dtype::float32, {3, "n"})}};
  EXPECT_EQ(sizes_of(graph), "2 ?");
  graph.value_infos = {value_info("a", Dtype::int64, {2, "found"})};
  EXPECT_EQ(sizes_of(graph), "2 found");
  // Inferred dims are not replaced by declared ones.
  graph.value_infos = {value_info("a", Dtype::int64, {7, "found"})};
  EXPECT_EQ(sizes_of(graph), "2 ?");
  graph.value_infos = {value_info("b", Dtype::int64, {2, "found"})};
  graph.nodes.erase(graph.nodes.begin() + 1);
  EXPECT_EQ(sizes_of(graph), "2 ?");  // a run does not check the declaration
}

std::vector<std::string> warnings_of(const Graph& graph) {
  const test::ModelPtr model = must(read_model(test::model(graph), {Unsupported::allowed}));
  std::vector<std::string> warnings;
  for (const Warning& warning : model->warnings) warnings.emplace_back(warning.text);
  return warnings;
}

TEST(ShapeInference, ContradictionsAreWarnings) {
  Graph graph{{node("Transpose", {"x"}, {"y"})}, {value_info("x", Dtype::int8, {3, "n"})}};
  const auto declared = [&](const std::vector<test::Size>& dims) {
    graph.outputs = {value_info("y", Dtype::int8, dims)};
    return warnings_of(graph);
  };
  const std::vector<std::string> none;
  EXPECT_EQ(declared({"n", 3}), none);
  EXPECT_EQ(declared({7, ""}), none);  // n may be 7
  EXPECT_EQ(declared({7, 4}), std::vector<std::string>{"'y' is declared as [7, 4], but is [?, 3]"});
  EXPECT_EQ(declared({"n", 3, 1}), std::vector<std::string>{"'y' is declared as [n, 3, 1], but is [?, 3]"});
  EXPECT_EQ(declared({}), std::vector<std::string>{"'y' is declared as [], but is [?, 3]"});
}

TEST(ShapeInference, TheNumberOfWarningsIsLimited) {
  Graph graph{{}, {value_info("x", Dtype::int8, {3})}};
  for (int i = 0; i < 200; ++i) {
    graph.nodes.push_back(node("Identity", {"x"}, {"y" + std::to_string(i)}));
    graph.outputs.push_back(value_info("y" + std::to_string(i), Dtype::int8, {4}));
  }
  EXPECT_EQ(warnings_of(graph).size(), 101U);
}

TEST(ShapeInference, ATypeThatAVersionDoesNotAllowHidesNoDims) {
  Graph graph{{node("Transpose", {"x"}, {"y"}), node("Reshape", {"y", "s"}, {"z"})},
              {value_info("x", Dtype::int4, {3, "n"})},
              {},
              {int64_tensor({2}, {-1, 1}, "s")}};
  EXPECT_EQ(sizes_of(graph, 13), "3*n 1");
  // Elements of an unchecked type are not read.
  graph.nodes = {node("Expand", {"x", "s"}, {"y"})};
  graph.initializers = {test::raw_tensor(Dtype::int8, {1}, std::string(1, '\7'), "s")};
  EXPECT_EQ(sizes_of(graph, 13), "3 ?");
}

TEST(ShapeInference, NumbersAreFollowedThroughAllTypes) {
  // PyTorch's older exporters scale sizes: a shape is cast to floats, scaled, rounded, and cast back.
  const Graph graph{
      {node("Shape", {"x"}, {"s"}), node("Cast", {"s"}, {"f"}, {test::int_of("to", 1)}), node("Mul", {"f", "scale"}, {"m"}),
       node("Floor", {"m"}, {"r"}), node("Cast", {"r"}, {"i"}, {test::int_of("to", 6)}),
       node("Cast", {"i"}, {"l"}, {test::int_of("to", 7)}), node("ConstantOfShape", {"l"}, {"y"})},
      {value_info("x", Dtype::float32, {3, 5})},
      {},
      {float_tensor({2}, {2, 1.5}, "scale")}};
  EXPECT_EQ(sizes_of(graph), "6 7");
}

}  // namespace
}  // namespace broadloom::shape_inference_test
