// Fusions into convolutions, and states of zeros of recurrent layers. Passes depend on the operator of a node, not on whether
// it is supported. So passes for Conv and LSTM stay when those run.
#include "graph/rewrite/simplifier.h"
#include "support/pass_graphs.h"

namespace broadloom::test::convolutions_test {
namespace {

TEST(Fusions, HappenOnlyOnRequest) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  const Graph graph =
      through({node("Conv", {"x", "w"}, {"c"}), node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"n"}),
               node("Mul", {"n", "k"}, {"y"})},
              {float_tensor({2, 1, 1}, {2, 3}, "w"), float_tensor({2}, {1, 2}, "s"), float_tensor({2}, {0, 1}, "b"),
               float_tensor({2}, {0, 0}, "m"), float_tensor({2}, {1, 1}, "v"), scalar(2, "k")},
              x);
  EXPECT_EQ(listing(simplify(graph)), "c = Conv(x, w); n = BatchNormalization(c, s, b, m, v); y = Mul(n, k)");
  Wish wish;
  wish.fuses = true;
  const Simplified result = simplify(graph, wish);
  ASSERT_EQ(result.graph().order.size(), 1U) << listing(result);
  EXPECT_EQ(listing(result).substr(0, 10), "y = Conv(x");
  EXPECT_EQ(result.count(PassKind::fuse), 2);
}

TEST(Fusions, SkipAConvWithOtherReaders) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  Graph graph = through({node("Conv", {"x", "w"}, {"c"}), node("Mul", {"c", "k"}, {"y"})},
                        {float_tensor({2, 1, 1}, {2, 3}, "w"), scalar(2, "k")}, x);
  graph.outputs.push_back(value_info("c", Dtype::float32));
  Wish wish;
  wish.fuses = true;
  EXPECT_EQ(listing(simplify(graph, wish)), "c = Conv(x, w); y = Mul(c, k)");
}

TEST(Fusions, SkipABatchNormalizationWithParametersOfAnotherType) {
  const Proto x = value_info("x", Dtype::float32, {1, 1, 3});
  const auto halves = [](std::string_view name) {
    return raw_tensor(Dtype::float16, {2}, std::string_view("\0\x3C\0\x40", 4), name);
  };
  const Graph graph = through({node("Conv", {"x", "w"}, {"c"}), node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"y"})},
                              {float_tensor({2, 1, 1}, {2, 3}, "w"), halves("s"), halves("b"), halves("m"), halves("v")}, x);
  Wish wish;
  wish.fuses = true;
  EXPECT_EQ(listing(simplify(graph, wish)).substr(0, 14), "c = Conv(x, w)");
  EXPECT_EQ(simplify(graph, wish).count(PassKind::fuse), 0);
}

// The number of changes of a pass in one round over the graph. With `all_run`, all nodes count as supported.
std::int64_t count(const Graph& graph, PassKind pass, bool all_run) {
  ReadOptions options{Unsupported::allowed};
  options.keeps_messages = true;
  const ModelPtr read = must(read_model(model(graph, 17), options));
  for (broadloom::Node& one : read->graph->nodes) {
    if (all_run) one.fault = nullptr;
  }
  ShapeInference inference(*read, true);
  EXPECT_TRUE(inference.run());
  SimplifyProgress progress;
  progress.growth_left = 1 << 20;
  progress.work_left = 1 << 20;
  const SimplifyOptions asked{.keeps = Keeps::values};
  EXPECT_TRUE(broadloom::simplify(*read, inference, asked, progress));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pass_count; ++i) sum += passes[i].kind == pass ? progress.counts[i] : 0;
  return sum;
}

void expect_fires(const Graph& graph, PassKind pass) {
  EXPECT_EQ(count(graph, pass, false), 1);
  EXPECT_EQ(count(graph, pass, true), 1);
}

Graph of_image(const std::vector<Proto>& nodes) {
  return {nodes,
          {value_info("x", Dtype::float32, {1, 1, 4, 4})},
          {value_info("y", Dtype::float32)},
          {float_tensor({2, 1, 1, 1}, {2, 3}, "w"), float_tensor({1, 1, 1, 1}, {2}, "k"),
           int64_tensor({8}, {0, 0, 1, 1, 0, 0, 1, 1}, "pads")}};
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
  const std::pair<const char*, std::int64_t> layers[] = {{"LSTM", 4}, {"GRU", 3}, {"RNN", 1}};
  for (const auto& [op, gates] : layers) {
    const Graph graph{{node(op, {"x", "w", "r", "", "", "h"}, {"y"})},
                      {value_info("x", Dtype::float32, {2, 1, 1}), value_info("w", Dtype::float32, {1, gates, 1}),
                       value_info("r", Dtype::float32, {1, gates, 1})},
                      {value_info("y", Dtype::float32)},
                      {float_tensor({1, 1, 1}, {0}, "h")}};
    expect_fires(graph, PassKind::no_op);
  }
}

}  // namespace
}  // namespace broadloom::test::convolutions_test
