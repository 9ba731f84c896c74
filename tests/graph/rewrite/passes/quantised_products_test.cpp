// Products of numbers that were quantised, whose results are quantised, have the bits of single nodes.
#include <cmath>

#include "graph/rewrite/optimize.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::quantised_products_test {
namespace {

// y = DequantizeLinear(QuantizeLinear(x)) by a scale and a zero point.
void add_pair(Graph& graph, const std::string& x, const std::string& y, float scale, Dtype dtype, char zero) {
  graph.initializers.push_back(float_tensor({}, {scale}, y + "_scale"));
  graph.initializers.push_back(raw_tensor(dtype, {}, std::string(1, zero), y + "_zero"));
  graph.nodes.push_back(node("QuantizeLinear", {x, y + "_scale", y + "_zero"}, {y + "_q"}));
  graph.nodes.push_back(node("DequantizeLinear", {y + "_q", y + "_scale", y + "_zero"}, {y}));
}

struct Sizes {
  std::int64_t rows, sums, columns;
};

// w = DequantizeLinear of a matrix of bytes, which may have a scale and a zero point for each column.
void add_weights(Random& random, Graph& graph, const Sizes& sizes, Dtype dtype, bool is_by_column, bool is_transposed) {
  const std::vector<std::int64_t> dims =
      is_transposed ? std::vector{sizes.columns, sizes.sums} : std::vector{sizes.sums, sizes.columns};
  const auto count = static_cast<std::size_t>(sizes.sums * sizes.columns);
  const auto columns = static_cast<std::size_t>(sizes.columns);
  graph.initializers.push_back(raw_tensor(dtype, dims, random_bytes(random, count), "w_q"));
  const auto step = static_cast<float>(1.7 / 127 / std::sqrt(static_cast<double>(sizes.sums)));
  std::vector<float> scales(is_by_column ? columns : 1, step);
  for (float& scale : scales) scale *= static_cast<float>(random.real(0.3, 1));
  const std::vector<std::int64_t> by_column{sizes.columns};
  const std::vector<std::int64_t> one;
  graph.initializers.push_back(float_tensor(is_by_column ? by_column : one, scales, "w_scale"));
  graph.initializers.push_back(
      raw_tensor(dtype, is_by_column ? by_column : one, random_bytes(random, scales.size()), "w_zero"));
  graph.nodes.push_back(node("DequantizeLinear", {"w_q", "w_scale", "w_zero"}, {"w"}, {int_of("axis", is_transposed ? 0 : 1)}));
}

Sizes random_sizes(Random& random) {
  return {random.between(1, random.one_in(5) ? 150 : 20), random.between(1, random.one_in(2) ? 700 : 40),
          random.between(1, 30)};
}

TEST(AProductOfQuantisedNumbers, HasTheBitsOfFloat32WithWeightsInBytes) {
  Random random;
  for (int round = 0; round < cases() / 25; ++round) {
    const Sizes sizes = random_sizes(random);
    const int form = static_cast<int>(random.below(4));  // MatMul, MatMul and Add, Gemm, Gemm with a bias
    const bool is_transposed = form >= 2 && random.one_in(2);
    Graph graph{{}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::float32)}};
    const bool is_signed = random.one_in(2);
    add_pair(graph, "x", "a", 8.0F / 255, is_signed ? Dtype::int8 : Dtype::uint8,
             static_cast<char>(random.between(is_signed ? -128 : 0, is_signed ? 127 : 255)));
    add_weights(random, graph, sizes, random.one_in(2) ? Dtype::int8 : Dtype::uint8, random.one_in(2), is_transposed);
    graph.initializers.push_back(
        float_tensor({sizes.columns}, random_floats(random, static_cast<std::size_t>(sizes.columns), 2), "bias"));
    if (form < 2) graph.nodes.push_back(node("MatMul", {"a", "w"}, {form == 0 ? "p" : "m"}));
    if (form == 1)
      graph.nodes.push_back(random.one_in(2) ? node("Add", {"m", "bias"}, {"p"}) : node("Add", {"bias", "m"}, {"p"}));
    const std::vector<Proto> transposed{int_of("transB", is_transposed ? 1 : 0)};
    if (form == 2) graph.nodes.push_back(node("Gemm", {"a", "w"}, {"p"}, transposed));
    if (form == 3) graph.nodes.push_back(node("Gemm", {"a", "w", "bias"}, {"p"}, transposed));
    add_pair(graph, "p", "y", 6.0F / 255, Dtype::uint8, static_cast<char>(random.between(0, 255)));
    const auto model = load(graph);
    ModelRun runs(*model);
    EXPECT_EQ(operators_of(optimized(*model).get()), "DequantizeLinear MatMul");
    const auto count = static_cast<std::size_t>(sizes.rows * sizes.sums);
    for (int run = 0; run < 2; ++run) {
      const Tensor x = floats({sizes.rows, sizes.sums}, random_floats(random, count, 4));
      must(test::run(runs, {{"x", x}}));
    }
  }
}

TEST(AProductOfQuantisedNumbers, HasTheBitsOfFloat32WhereBothAreComputed) {
  Random random;
  for (int round = 0; round < cases() / 25; ++round) {
    const Sizes sizes = random_sizes(random);
    const bool is_turned = random.one_in(2);
    Graph graph{{}, {value_info("x", Dtype::float32), value_info("z", Dtype::float32)}, {value_info("y", Dtype::float32)}};
    add_pair(graph, "x", "a", 8.0F / 255, Dtype::uint8, static_cast<char>(random.between(0, 255)));
    add_pair(graph, "z", "b", 2.0F / 255, Dtype::int8, static_cast<char>(random.between(-128, 127)));
    if (is_turned) graph.nodes.push_back(node("Transpose", {"b"}, {"t"}, {ints_of("perm", {0, 2, 1})}));
    graph.nodes.push_back(node("MatMul", {"a", is_turned ? "t" : "b"}, {"p"}));
    add_pair(graph, "p", "y", 0.1F, Dtype::int8, '\0');
    const auto model = load(graph);
    ModelRun runs(*model);
    const std::string expected =
        is_turned ? "DequantizeLinear DequantizeLinear Transpose MatMul" : "DequantizeLinear DequantizeLinear MatMul";
    EXPECT_EQ(operators_of(optimized(*model).get()), expected);
    const std::int64_t batch = random.between(1, 3);
    const auto count = [](std::int64_t a, std::int64_t b, std::int64_t c) { return static_cast<std::size_t>(a * b * c); };
    const Tensor x = floats({batch, sizes.rows, sizes.sums}, random_floats(random, count(batch, sizes.rows, sizes.sums), 4));
    const auto other = random_floats(random, count(batch, sizes.sums, sizes.columns), 1);
    const Tensor z =
        is_turned ? floats({batch, sizes.columns, sizes.sums}, other) : floats({batch, sizes.sums, sizes.columns}, other);
    must(test::run(runs, {{"x", x}, {"z", z}}));
    must(test::run(runs, {{"x", x}, {"z", z}}));
  }
}

TEST(AProductOfQuantisedNumbers, StaysWhereTheResultOrAnOperandIsNotQuantised) {
  Random random;
  const Sizes sizes{2, 3, 4};
  Graph graph{{}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::float32)}};
  add_weights(random, graph, sizes, Dtype::int8, false, false);
  graph.nodes.push_back(node("MatMul", {"x", "w"}, {"p"}));
  add_pair(graph, "p", "y", 0.1F, Dtype::uint8, '\x80');
  EXPECT_EQ(operators_of(optimized(*load(graph)).get()), "MatMul DequantizeLinear");
}

// A scale below its limit: products could be too small for float32's precision.
TEST(AProductOfQuantisedNumbers, StaysInFloat32WithATinyScale) {
  Random random;
  Graph graph{{}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::float32)}};
  add_pair(graph, "x", "a", 1e-20F, Dtype::uint8, '\x80');
  add_weights(random, graph, {2, 3, 4}, Dtype::int8, false, false);
  graph.nodes.push_back(node("MatMul", {"a", "w"}, {"p"}));
  add_pair(graph, "p", "y", 1e-20F, Dtype::uint8, '\x80');
  const auto model = load(graph);
  EXPECT_EQ(operators_of(optimized(*model).get()), "DequantizeLinear MatMul DequantizeLinear");
  must(test::run(*model, {{"x", floats({2, 3}, {1e-19F, 2e-19F, -1e-18F, 3e-20F, 5e-20F, 0})}}));
}

TEST(AQuantisedTable, IsDequantisedRowByRow) {
  Random random;
  for (const bool has_indices_in_range : {true, false}) {
    Graph graph{{}, {value_info("i", Dtype::int64)}, {value_info("y", Dtype::float32)}};
    add_weights(random, graph, {5, 40, 30}, Dtype::uint8, false, false);
    graph.nodes.push_back(node("Gather", {"w", "i"}, {"y"}, {int_of("axis", 1)}, "pick"));
    const auto model = load(graph);
    ModelRun runs(*model);
    EXPECT_EQ(operators_of(optimized(*model).get()), "Gather DequantizeLinear");
    const auto results = test::run(runs, {{"i", int64s({2, 2}, {3, -1, 0, has_indices_in_range ? 29 : 30})}});
    if (has_indices_in_range) {
      must(results);
    } else {
      EXPECT_TRUE(fails(results, Code::InvalidArgument, "pick"));
    }
  }
}

}  // namespace
}  // namespace broadloom::test::quantised_products_test
