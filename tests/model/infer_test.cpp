// What is known of values before a run.
#include "model/infer.h"

#include "support/models.h"

namespace broadloom {
namespace {

using test::float_tensor;
using test::Graph;
using test::int64_tensor;
using test::must;
using test::node;
using test::value_info;

// The sizes of what the last node makes: numbers, names, or "?"; or "unknown".
std::string sizes_of(const Graph& graph) {
  const test::ModelPtr model = must(Model::load(test::model(graph), Unsupported::allowed));
  Inference inference(*model);
  EXPECT_TRUE(inference.run());
  const std::size_t value = test::records(model->nodes).back()->outputs[0]->number;
  if (!inference[value].has_dims || inference[value].is_only_declared) return "unknown";
  std::string sizes;
  for (std::size_t axis = 0; axis < inference.rank_of(value); ++axis) {
    const auto [number, symbol] = inference.size_of(value, axis);
    std::string name = "?";
    for (const Value* one = model->last_symbol; one != nullptr; one = one->next) {
      if (number < 0 && one->number == symbol) name = one->name;
    }
    sizes += (axis == 0 ? "" : " ") + (number >= 0 ? std::to_string(number) : name);
  }
  return sizes;
}

TEST(Inference, TellsNumbersNamesAndUnknownSizesApart) {
  EXPECT_EQ(sizes_of({{node("Identity", {"x"}, {"y"})}, {value_info("x", Dtype::int4, {3, "n", "", "m", 0, 1, "n"})}}),
            "3 n ? m 0 1 n");
}

TEST(Inference, ASizeThatHappensToBeAProbeIsTheNumber) {
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

TEST(Inference, DoesNotFollowElementsOfInputs) {
  EXPECT_EQ(sizes_of({{node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64, {2})}}), "unknown");
  EXPECT_EQ(
      sizes_of({{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {1}), value_info("s", Dtype::int64, {2})}}),
      "unknown");
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

TEST(Inference, ANodeThatRefusesStandInsMakesValuesWithoutDims) {
  EXPECT_EQ(
      sizes_of({{node("Expand", {"x", "s"}, {"y"})}, {value_info("x", Dtype::int8, {"n"})}, {}, {int64_tensor({1}, {7}, "s")}}),
      "unknown");
}

}  // namespace
}  // namespace broadloom
