// Passes depend on the operator of a node, not on whether it is supported. So passes for Conv and LSTM stay when those run.
#include "graph/simplifier.h"
#include "support/expect.h"
#include "support/models.h"

namespace broadloom {
namespace {

using test::float_tensor;
using test::Graph;
using test::must;
using test::node;
using test::value_info;

// The number of changes of a pass in one round over the graph. With `all_run`, all nodes count as supported.
std::int64_t count(const Graph& graph, PassKind pass, bool all_run) {
  ReadOptions options{Unsupported::allowed};
  options.keeps_messages = true;
  const test::ModelPtr model = must(read_model(test::model(graph, 17), options));
  for (broadloom::Node& one : model->graph->nodes) {
    if (all_run) one.error = {};
  }
  ShapeInference inference(*model, true);
  EXPECT_TRUE(inference.run());
  SimplifyProgress progress;
  progress.growth_left = 1 << 20;
  progress.work_left = 1 << 20;
  const SimplifyOptions asked{.keeps = Keeps::values};
  EXPECT_TRUE(simplify(*model, inference, asked, progress));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pass_count; ++i) sum += passes[i].kind == pass ? progress.counts[i] : 0;
  return sum;
}

void expect_fires(const Graph& graph, PassKind pass) {
  EXPECT_EQ(count(graph, pass, false), 1);
  EXPECT_EQ(count(graph, pass, true), 1);
}

Graph of_image(const std::vector<test::Proto>& nodes) {
  return {nodes,
          {value_info("x", Dtype::float32, {1, 1, 4, 4})},
          {value_info("y", Dtype::float32)},
          {float_tensor({2, 1, 1, 1}, {2, 3}, "w"), float_tensor({1, 1, 1, 1}, {2}, "k"),
           test::int64_tensor({8}, {0, 0, 1, 1, 0, 0, 1, 1}, "pads")}};
}

TEST(PassesOfRunningNodes, AFactorAfterAConvIsFoldedIntoItsWeights) {
  expect_fires(of_image({node("Conv", {"x", "w"}, {"c"}), node("Mul", {"c", "k"}, {"y"})}), PassKind::fuse);
  expect_fires(of_image({node("ConvTranspose", {"x", "w"}, {"c"}), node("Mul", {"c", "k"}, {"y"})}), PassKind::fuse);
}

TEST(PassesOfRunningNodes, AFactorAndPadsBeforeAConvAreFoldedIntoIt) {
  expect_fires(of_image({node("Mul", {"x", "k"}, {"m"}), node("Conv", {"m", "w"}, {"y"})}), PassKind::fuse);
  expect_fires(of_image({node("Pad", {"x", "pads"}, {"p"}), node("Conv", {"p", "w"}, {"y"})}), PassKind::fuse);
}

TEST(PassesOfRunningNodes, StatesOfZerosAreRemovedFromRecurrentLayers) {
  for (const char* op : {"LSTM", "GRU", "RNN"}) {
    const Graph graph{{node(op, {"x", "w", "r", "", "", "h"}, {"y"})},
                      {value_info("x", Dtype::float32, {2, 1, 1}), value_info("w", Dtype::float32, {1, 4, 1}),
                       value_info("r", Dtype::float32, {1, 4, 1})},
                      {value_info("y", Dtype::float32)},
                      {float_tensor({1, 1, 1}, {0}, "h")}};
    expect_fires(graph, PassKind::no_op);
  }
}

}  // namespace
}  // namespace broadloom
