// Filters of convolutions that stay in bytes give the bits of those that are dequantised first.
#include <algorithm>

#include "graph/rewrite/optimize.h"
#include "ops/call/dense.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::byte_filters_test {
namespace {

std::vector<float> random_floats(Random& random, std::size_t count, double least, double most) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.real(least, most));
  return numbers;
}

using Dimensions = std::vector<std::int64_t>;

struct Form {
  std::int64_t groups = 1, channels = 4, filters = 8, side = 3;
  std::int64_t axis = 0;  // of the scales
  bool is_by_filter = true;
  bool has_zero = true;
  bool has_bias = true;
  Dtype dtype = Dtype::int8;
};

// y = Conv(x, DequantizeLinear(w_q, w_scale, w_zero), bias)
Graph graph_of(Random& random, const Form& form) {
  Graph graph{{}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::float32)}};
  const Dimensions dims{form.groups * form.filters, form.channels, form.side, form.side};
  const Dimensions list{dims[static_cast<std::size_t>(form.axis)]};
  const auto count = static_cast<std::size_t>(form.is_by_filter ? list[0] : 1);
  const auto elements = static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * dims[3]);
  graph.initializers.push_back(raw_tensor(form.dtype, dims, random_bytes(random, elements), "w_q"));
  graph.initializers.push_back(
      float_tensor(form.is_by_filter ? list : Dimensions(), random_floats(random, count, 0.001, 0.02), "w_scale"));
  graph.initializers.push_back(
      raw_tensor(form.dtype, form.is_by_filter ? list : Dimensions(), random_bytes(random, count), "w_zero"));
  graph.initializers.push_back(
      float_tensor({dims[0]}, random_floats(random, static_cast<std::size_t>(dims[0]), -1, 1), "bias"));
  std::vector<std::string> numbers{"w_q", "w_scale"};
  if (form.has_zero) numbers.push_back("w_zero");
  graph.nodes.push_back(node("DequantizeLinear", {numbers.begin(), numbers.end()}, {"w"}, {int_of("axis", form.axis)}));
  const std::int64_t pad = form.side / 2;
  const std::vector<Proto> attributes{ints_of("pads", {pad, pad, pad, pad}), int_of("group", form.groups)};
  graph.nodes.push_back(form.has_bias ? node("Conv", {"x", "w", "bias"}, {"y"}, attributes)
                                      : node("Conv", {"x", "w"}, {"y"}, attributes));
  return graph;
}

Tensor image(Random& random, const Form& form, std::int64_t side) {
  const std::int64_t channels = form.groups * form.channels;
  return floats({1, channels, side, side}, random_floats(random, static_cast<std::size_t>(channels * side * side), -4, 4));
}

TEST(FiltersInBytes, GiveTheBitsOfThoseThatAreDequantisedFirst) {
  Random random;
  for (int round = 0; round < cases() / 25; ++round) {
    Form form;
    form.groups = random.one_in(4) ? random.between(2, 3) : 1;
    // Many channels are transformed by the kernel.
    const bool are_many = random.one_in(2);
    form.channels = are_many ? 4 * random.between(4, 8) : random.between(form.groups > 1 ? 2 : 1, 7);
    form.filters = are_many ? 4 * random.between(6, 9) : random.between(1, 20);
    form.side = random.one_in(2) ? 3 : random.between(1, 4);
    form.is_by_filter = random.one_in(2);
    form.has_zero = !random.one_in(3);
    form.has_bias = random.one_in(2);
    form.dtype = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const auto model = load(graph_of(random, form));
    ModelRun runs(*model);
    EXPECT_EQ(operators_of(optimized(*model).get()), "Conv");
    // Dims that come again have a plan; others share what is packed.
    for (const std::int64_t side : {8, 8, 5, 5, 8}) must(test::run(runs, {{"x", image(random, form, side)}}));
  }
}

// Sizes that come once have no plan: filters are packed in such a run.
TEST(FiltersInBytes, AreReadBehindSizesThatDependOnData) {
  Random random;
  Form form{.channels = 16, .filters = 24, .dtype = Dtype::uint8};
  Graph graph = graph_of(random, form);
  graph.nodes.back() = node("Conv", {"c", "w", "bias"}, {"y"}, {ints_of("pads", {1, 1, 1, 1})});
  graph.nodes.insert(graph.nodes.begin(), node("Compress", {"x", "is_kept"}, {"c"}, {int_of("axis", 2)}));
  graph.inputs.push_back(value_info("is_kept", Dtype::boolean));
  const auto model = load(graph);
  ModelRun runs(*model);
  EXPECT_EQ(operators_of(optimized(*model).get()), "Compress Conv");
  for (const std::size_t kept : {5, 3, 3, 4}) {
    std::vector<float> flags(5, 0);
    std::fill_n(flags.begin(), kept, 1.0F);
    must(test::run(runs, {{"x", image(random, form, 5)}, {"is_kept", must(in_type(floats({5}, flags), Dtype::boolean))}}));
  }
}

// Expects the graph to stay as it is, and its bits.
void expect_kept(Random& random, const Graph& graph, const Form& form) {
  const auto model = load(graph);
  EXPECT_EQ(operators_of(optimized(*model).get()), "the same");
  ModelRun runs(*model);
  for (int i = 0; i < 2; ++i) must(test::run(runs, {{"x", image(random, form, 5)}}));
}

TEST(FiltersInBytes, AreThoseWithAScaleForEachFilter) {
  Random random;
  Form form{.channels = 64, .filters = 64, .axis = 1};
  expect_kept(random, graph_of(random, form), form);
}

TEST(FiltersInBytes, StayWithOneReaderAndManyChannels) {
  Random random;
  Form form{.channels = 64, .filters = 64};
  Graph shared = graph_of(random, form);
  shared.nodes.push_back(node("Conv", {"x", "w"}, {"z"}));
  shared.outputs.push_back(value_info("z", Dtype::float32));
  expect_kept(random, shared, form);
  Form depthwise{.groups = 4096, .channels = 1, .filters = 1};
  expect_kept(random, graph_of(random, depthwise), depthwise);
}

}  // namespace
}  // namespace broadloom::test::byte_filters_test
