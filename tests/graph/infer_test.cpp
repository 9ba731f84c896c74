// What is known of values before a run.
#include "graph/infer.h"

#include "support/models.h"

namespace broadloom {
namespace {

using test::float_tensor;
using test::Graph;
using test::int64_tensor;
using test::must;
using test::node;
using test::value_info;

// The sizes of a value: numbers, names, expressions, or "?"; or "unknown".
std::string sizes_of(const Model& model, const Inference& inference, const Value& value) {
  if (!inference[value].is_ranked() || inference.is_only_declared(value)) return "unknown";
  std::vector<std::string_view> names(model.symbols.size());
  for (const Value* one = model.symbols.last(); one != nullptr; one = one->next) names[one->number] = one->name;
  std::string sizes;
  for (const Size size : inference[value].dims()) {
    Text text;
    sizes += sizes.empty() ? "" : " ";
    if (is_number(size)) {
      sizes += std::to_string(size);
    } else {
      sizes += inference.expressions().append(text, size, names) ? text.view() : "?";
    }
  }
  return sizes;
}

// Those of what the last node makes.
std::string sizes_of(const Graph& graph) {
  const test::ModelPtr model = must(read_model(test::model(graph), {Unsupported::allowed}));
  Inference inference(*model);
  EXPECT_TRUE(inference.run());
  return sizes_of(*model, inference, *test::records(model->graph->nodes).back()->outputs[0]);
}

TEST(Inference, TellsNumbersNamesAndUnknownSizesApart) {
  EXPECT_EQ(sizes_of({{node("Identity", {"x"}, {"y"})}, {value_info("x", Dtype::int4, {3, "n", "", "m", 0, 1, "n"})}}),
            "3 n ? m 0 1 n");
}

TEST(Inference, NumbersAreToldFromNames) {
  for (int size = 0; size < 20; ++size) {
    const Graph graph{{node("Identity", {"x"}, {"y"})}, {value_info("x", Dtype::int4, {"a", size, "b", "", size})}};
    const std::string number = std::to_string(size);
    EXPECT_EQ(sizes_of(graph), "a " + number + " b ? " + number);
  }
}

TEST(Inference, FollowsElementsThatComeFromDims) {
  const std::vector<test::Proto> nodes{node("Shape", {"x"}, {"s"}), node("Identity", {"s"}, {"t"}),
                                       node("ConstantOfShape", {"t"}, {"y"})};
  EXPECT_EQ(sizes_of({nodes, {value_info("x", Dtype::string, {2, "n", ""})}}), "2 n ?");
}

TEST(Inference, OfElementsOfInputsOnlyTheirNumberIsKnown) {
  EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64, {2})}}), "? ?");
  EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64, {"n"})}}), "unknown");
  EXPECT_EQ(sizes_of({{node("Expand", {"x", "s"}, {"y"})},
                      {value_info("x", Dtype::int8, {1, 7, 0, "n"}), value_info("s", Dtype::int64, {3})}}),
            "1 7 0 ?");
}

TEST(Inference, AnInitializerIsKnownAndADefaultOfAnInputIsNot) {
  const Graph graph{{node("ConstantOfShape", {"s"}, {"y"})}, {}, {}, {int64_tensor({2}, {4, 5}, "s")}};
  EXPECT_EQ(sizes_of(graph), "4 5");
  // A feed may replace a default, but has the dims that are declared.
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

TEST(Inference, DeclaredDimsOfUnsupportedNodesAreKnownAfterThemOnly) {
  Graph graph{{node("Weave", {}, {"a"})}, {}, {}, {}, {}, {value_info("a", Dtype::int8, {"n", 2})}};
  EXPECT_EQ(sizes_of(graph), "unknown");
  graph.nodes.push_back(node("Identity", {"a"}, {"b"}));
  EXPECT_EQ(sizes_of(graph), "n 2");
}

TEST(Inference, WhatABroadcastMustBeInEveryRunIsKnown) {
  const auto broadcast = [](test::Size a, std::int64_t b) {
    return sizes_of(
        {{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {a})}, {}, {int64_tensor({1}, {b}, "s")}});
  };
  EXPECT_EQ(broadcast("n", 7), "7");  // n is 1 or 7
  EXPECT_EQ(broadcast("n", 1), "n");
  EXPECT_EQ(broadcast("n", 0), "0");
  EXPECT_EQ(broadcast(1, 7), "7");
}

TEST(Inference, OfTwoNamesABroadcastIsNeither) {
  const std::vector<test::Proto> nodes{node("Shape", {"b"}, {"s"}), node("Expand", {"a", "s"}, {"y"})};
  const std::vector<test::Proto> inputs{value_info("a", Dtype::int8, {"n", "n"}), value_info("b", Dtype::int8, {"n", "m"})};
  EXPECT_EQ(sizes_of({nodes, inputs}), "n ?");
}

TEST(Inference, ANodeThatFailsInEveryRunMakesNothingKnown) {
  EXPECT_EQ(
      sizes_of({{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {3})}, {}, {int64_tensor({1}, {7}, "s")}}),
      "unknown");
}

TEST(Inference, IntegersOfAFileAreNotTakenForExpressions) {
  for (const std::int64_t number : {unknown_size, unknown_size - 1, unknown_size - 7, unknown_size - (std::int64_t{1} << 31)}) {
    EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"s"}, {"y"})}, {}, {}, {int64_tensor({1}, {number}, "s")}}), "?");
  }
}

TEST(Inference, IntegersOfAnAttributeAreNotTakenForExpressions) {
  for (const std::int64_t number : {unknown_size, unknown_size - 1, unknown_size - 1000000}) {
    const auto value = test::tensor_of_attribute("value", int64_tensor({1}, {number}));
    EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"s"}, {"t"}, {value}), node("ConstantOfShape", {"t"}, {"y"})},
                        {},
                        {},
                        {int64_tensor({1}, {1}, "s")}}),
              "?");
  }
}

TEST(Inference, NothingBuildsOnDeclaredDimsThatARunMayProveWrong) {
  const Graph graph{{node("ConstantOfShape", {"s"}, {"t"}), node("Identity", {"t"}, {"y"})},
                    {value_info("s", Dtype::int64)},
                    {},
                    {},
                    {},
                    {value_info("t", Dtype::float32, {2, 3})}};
  EXPECT_EQ(sizes_of(graph), "unknown");
}

}  // namespace
}  // namespace broadloom
