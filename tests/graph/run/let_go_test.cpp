// Weights that kernels only read packed are in memory once.
#include "ops/call/dense.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random.h"

namespace broadloom::test::let_go_test {
namespace {

auto elements_of_initializer(const Model& model, std::string_view name) {
  const Value& value = *model.find(name);
  return bytes_of(must(elements_of(value, value.initializer)));
}

// A graph that runs with plans, and the same graph, which another model runs node by node.
struct Runs {
  explicit Runs(const Graph& graph) : model(test::load(graph)), by_node(test::load(graph)), runs(*model), others(*by_node) {}

  // Expects the bits of the run node by node.
  void run(const Feeds& feeds) { expect_same_bits(must(runs.run(list_of(feeds))), must(others.run(list_of(feeds), {false}))); }
  bool is_let_go(std::string_view name) const {
    return model->find(name)->initializer->tensor.storage->substitute() != nullptr;
  }
  // Expects the elements that the model was loaded with.
  void expect_elements(std::string_view name) const {
    EXPECT_TRUE(elements_of_initializer(*model, name) == elements_of_initializer(*by_node, name)) << name;
  }

  ModelPtr model;
  ModelPtr by_node;
  ModelRun runs;
  ModelRun others;
};

TEST(LetGo, PlansShareFiltersThatTheyReadInTwoWays) {
  Random random;
  Runs conv({{node("Conv", {"x", "w"}, {"y"}, {ints_of("pads", {1, 1, 1, 1})})},
             {value_info("x", Dtype::float32)},
             {value_info("y", Dtype::float32)},
             {float_tensor({48, 48, 3, 3}, random_floats(random, 48 * 48 * 9), "w")}});
  const std::size_t loaded = Storage::bytes_in_use();
  const auto run = [&](std::int64_t side) {
    conv.run({{"x", floats({1, 48, side, side}, random_floats(random, static_cast<std::size_t>(48 * side * side)))}});
  };
  // The workspace has the transformed filters, with gaps between them.
  constexpr std::size_t tap = 48 * 48 * sizeof(float);
  constexpr std::size_t others = 120'000;
  for (int i = 0; i < 3; ++i) {
    run(8);
    EXPECT_TRUE(conv.is_let_go("w"));
    EXPECT_LT(Storage::bytes_in_use(), loaded + 16 * tap + others);
  }
  conv.expect_elements("w");
  // The plain convolution is faster for one window, and brings the filters back.
  for (const std::int64_t side : {1, 1, 8, 5, 5}) run(side);
  EXPECT_LT(Storage::bytes_in_use(), loaded + (16 + 9) * tap + others);
  conv.expect_elements("w");
}

// A run node by node would bring the weight back.
TEST(LetGo, DimsThatComeOnceHaveAPlanWhereRunsTakeLongerThanPlans) {
  Random random;
  Runs product({{node("MatMul", {"x", "w"}, {"y"})},
                {value_info("x", Dtype::float32)},
                {value_info("y", Dtype::float32)},
                {float_tensor({256, 256}, random_floats(random, 256 * 256), "w")}});
  for (std::int64_t rows = 1; rows < 9; ++rows) {
    product.run({{"x", floats({rows, 256}, random_floats(random, static_cast<std::size_t>(rows * 256)))}});
    EXPECT_TRUE(product.is_let_go("w")) << rows;
  }
}

TEST(LetGo, FiltersThatWereQuantisedAreInMemoryOnceInBytes) {
  Random random;
  for (const Dtype dtype : {Dtype::int8, Dtype::uint8}) {
    std::string bytes(std::size_t{64} * 64 * 9 * 4, ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    std::vector<float> scales = random_floats(random, 256);
    Runs conv({{node("DequantizeLinear", {"w", "scale"}, {"f"}, {int_of("axis", 0)}),
                node("Conv", {"x", "f"}, {"y"}, {ints_of("strides", {2, 2})})},
               {value_info("x", Dtype::float32)},
               {value_info("y", Dtype::float32)},
               {raw_tensor(dtype, {256, 64, 3, 3}, bytes, "w"), float_tensor({256}, scales, "scale")}});
    const std::size_t loaded = Storage::bytes_in_use();
    for (const std::int64_t side : {9, 9, 5, 5}) {
      conv.run({{"x", floats({1, 64, side, side}, random_floats(random, static_cast<std::size_t>(64 * side * side)))}});
      if (side != 9) continue;
      EXPECT_TRUE(conv.is_let_go("w"));
      EXPECT_LT(Storage::bytes_in_use(), loaded + bytes.size());
    }
    conv.expect_elements("w");
  }
}

TEST(LetGo, IntegersThatAreReadInPairsAreInMemoryOnce) {
  Random random;
  for (const Dtype dtype : {Dtype::int8, Dtype::uint8}) {
    std::string bytes(std::size_t{301} * 303, ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    Runs product({{node("MatMulInteger", {"x", "w"}, {"y"})},
                  {value_info("x", Dtype::uint8)},
                  {value_info("y", Dtype::int32)},
                  {raw_tensor(dtype, {301, 303}, bytes, "w")}});
    const std::size_t loaded = Storage::bytes_in_use();
    for (const std::int64_t rows : {2, 2, 1, 1, 3}) {
      const std::vector<float> sevens(static_cast<std::size_t>(rows * 301), 7);
      product.run({{"x", must(in_type(floats({rows, 301}, sevens), Dtype::uint8))}});
      if (rows != 2) continue;
      EXPECT_TRUE(product.is_let_go("w"));
      EXPECT_LT(Storage::bytes_in_use(), loaded + bytes.size() / 2);
      product.expect_elements("w");
    }
  }
}

constexpr std::int64_t width = 160;

// Two branches that multiply with the same weights, as merged decoders do; and what reads one of them besides.
Graph branches(const std::vector<float>& w, const std::vector<float>& v, const std::vector<Proto>& more = {}) {
  const auto branch = [](std::string_view last) {
    const std::string y = "y" + std::string(last);
    return Graph{{node("MatMul", {"x", "w"}, {"h" + y}), node(last, {"h" + y}, {"t" + y}), node("MatMul", {"t" + y, "v"}, {y})},
                 {},
                 {value_info(y, Dtype::float32)}};
  };
  std::vector<Proto> nodes{
      node("If", {"cond"}, {"y"}, {graph_of("then_branch", branch("Tanh")), graph_of("else_branch", branch("Neg"))})};
  nodes.insert(nodes.end(), more.begin(), more.end());
  std::vector<Proto> outputs{value_info("y", Dtype::float32)};
  if (!more.empty()) outputs.push_back(any("z"));
  return {nodes,
          {value_info("cond", Dtype::boolean), value_info("x", Dtype::float32)},
          outputs,
          {float_tensor({width, width}, w, "w"), float_tensor({width, width}, v, "v")}};
}

Feeds feeds_of(bool condition, const Tensor& x) {
  return {{"cond", must(in_type(floats({}, {condition ? 1.0F : 0.0F}), Dtype::boolean))}, {"x", x}};
}

TEST(LetGo, BranchesShareWhatIsPacked) {
  Random random;
  const Tensor x = floats({2, width}, random_floats(random, 2 * width));
  Runs runs(branches(random_floats(random, width * width), random_floats(random, width * width)));
  const std::size_t loaded = Storage::bytes_in_use();
  constexpr std::size_t half = width * width * sizeof(float) / 2;
  for (int i = 0; i < 3; ++i) {
    for (const bool condition : {true, false}) {
      runs.run(feeds_of(condition, x));
      EXPECT_LT(Storage::bytes_in_use(), loaded + half);
      for (const std::string_view name : {"w", "v"}) EXPECT_TRUE(runs.is_let_go(name)) << name;
    }
  }
  for (const std::string_view name : {"w", "v"}) runs.expect_elements(name);
}

TEST(LetGo, WhoeverReadsAWeightBesideTheBranchesHasItsElements) {
  Random random;
  const std::vector<std::vector<Proto>> readers{
      {node("Identity", {"w"}, {"z"})},
      {node("NonZero", {"w"}, {"z"})},
      {node("NonZero", {"y"}, {"n"}), node("Transpose", {"w"}, {"z"})},
      {node("NonZero", {"y"}, {"n"}), node("Neg", {"w"}, {"m"}), node("MatMul", {"y", "m"}, {"z"})},
      {node("NonZero", {"y"}, {"n"}), node("MatMul", {"w", "w"}, {"m"}), node("MatMul", {"y", "m"}, {"z"})},
      {node("Gemm", {"y", "w"}, {"z"}, {int_of("transB", 1)})},
  };
  for (const std::vector<Proto>& reader : readers) {
    Runs runs(branches(random_floats(random, width * width), random_floats(random, width * width), reader));
    for (const std::int64_t rows : {1, 2, 1, 3}) {
      const Tensor x = floats({rows, width}, random_floats(random, static_cast<std::size_t>(rows * width)));
      for (const bool condition : {true, false, true}) runs.run(feeds_of(condition, x));
    }
    for (const std::string_view name : {"w", "v"}) runs.expect_elements(name);
  }
}

}  // namespace
}  // namespace broadloom::test::let_go_test
