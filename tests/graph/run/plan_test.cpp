// A planned run has, bit for bit, the results of a run node by node. test::run compares both in every test of graphs. Here are
// special cases of plans.
#include "ops/call/dense.h"
#include "support/cases.h"
#include "support/models.h"
#include "support/random_graphs.h"

namespace broadloom::test::plan_test {
namespace {

using List = std::vector<std::int64_t>;

std::vector<Tensor> run_planned(ModelRun& runs, const Feeds& feeds) { return must(runs.run(list_of(feeds))); }

Tensor numbers(const Dims& dims, Random& random) {
  return floats(dims, random_floats(random, static_cast<std::size_t>(count_of(dims))));
}

Graph two_layers() {
  return {{node("MatMul", {"x", "w"}, {"h"}), node("Tanh", {"h"}, {"t"}), node("MatMul", {"t", "w"}, {"y"})},
          {value_info("x", Dtype::float32)},
          {value_info("y", Dtype::float32)},
          {test::float_tensor({2, 2}, {1, 2, 3, 4}, "w")}};
}

TEST(Plan, TensorsThatWereHandedOutStayAsTheyAre) {
  const auto model = test::load(two_layers());
  ModelRun runs(*model);
  const std::vector<Tensor> first = run_planned(runs, {{"x", floats({1, 2}, {0.5F, 0.25F})}});
  const std::vector<float> before = elements<float>(first[0]);
  for (int i = 0; i < 3; ++i) run_planned(runs, {{"x", floats({1, 2}, {static_cast<float>(i), 7})}});
  EXPECT_EQ(elements<float>(first[0]), before);
}

TEST(Plan, WithoutStepsDoesNotPay) { EXPECT_FALSE(Plan().pays_once()); }

TEST(Plan, FeedsMayBeViewsWithStridesOfAnySign) {
  const auto model = test::load(two_layers());
  ModelRun runs(*model);
  Tensor feed = floats({2, 2}, {1, 2, 3, 4});
  const Layout turned{{2, 2}, {-1, -2}};
  const Tensor view{Dtype::float32, turned, feed.storage, 3};
  for (int i = 0; i < 3; ++i) {
    must(test::run(runs, {{"x", feed}}));
    const std::vector<Tensor> found = must(test::run(runs, {{"x", view}}));
    const std::vector<Tensor> dense = must(test::run(runs, {{"x", floats({2, 2}, {4, 2, 3, 1})}}));
    EXPECT_EQ(elements<float>(found[0]), elements<float>(dense[0]));
  }
}

TEST(Plan, OutputsMayBeInputsInitializersAndViewsOfThem) {
  const Graph graph{{node("Transpose", {"x"}, {"turned"}), node("Identity", {"w"}, {"same"}), node("Neg", {"x"}, {"n"}),
                     node("Transpose", {"n"}, {"m"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("x", Dtype::float32), value_info("w", Dtype::float32), value_info("turned", Dtype::float32),
                     value_info("same", Dtype::float32), value_info("m", Dtype::float32), value_info("n", Dtype::float32)},
                    {test::float_tensor({2}, {5, 6}, "w")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  std::vector<std::vector<Tensor>> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(must(test::run(runs, {{"x", floats({1, 2}, {static_cast<float>(i), 1})}})));
  }
  for (int i = 0; i < 3; ++i) {
    const auto& outputs = kept[static_cast<std::size_t>(i)];
    const auto number = static_cast<float>(i);
    EXPECT_EQ(elements<float>(outputs[0]), (std::vector<float>{number, 1}));
    EXPECT_EQ(elements<float>(outputs[1]), (std::vector<float>{5, 6}));
    EXPECT_EQ(elements<float>(outputs[2]), (std::vector<float>{number, 1}));
    EXPECT_EQ(elements<float>(outputs[3]), (std::vector<float>{5, 6}));
    EXPECT_EQ(elements<float>(outputs[4]), (std::vector<float>{-number, -1}));
    EXPECT_EQ(elements<float>(outputs[5]), (std::vector<float>{-number, -1}));
  }
}

TEST(Plan, ViewsOfExposedFeedsHaveTheirElements) {
  // The second graph continues after a plan, with such views in the frame.
  const std::vector<Proto> views{node("Transpose", {"x"}, {"turned"}), node("Gather", {"x", "last"}, {"row"})};
  std::vector<Proto> more = views;
  more.push_back(node("NonZero", {"row"}, {"places"}));
  more.push_back(node("Transpose", {"turned"}, {"back"}));
  const std::vector<Proto> initializers{test::int64_tensor({1}, {1}, "last")};
  const auto x = value_info("x", Dtype::float32);
  const auto turned = value_info("turned", Dtype::float32);
  const auto row = value_info("row", Dtype::float32);
  for (const Graph& graph : {Graph{views, {x}, {turned, row}, initializers},
                             Graph{more, {x}, {turned, row, value_info("back", Dtype::float32)}, initializers}}) {
    const auto model = test::load(graph);
    ModelRun runs(*model);
    Tensor feed = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    must(expose(feed));
    for (int i = 0; i < 2; ++i) {
      const std::vector<Tensor> outputs = must(test::run(runs, {{"x", feed}}));
      EXPECT_EQ(elements<float>(must(densify(outputs[0]))), (std::vector<float>{1, 4, 2, 5, 3, 6}));
      EXPECT_EQ(elements<float>(must(densify(outputs[1]))), (std::vector<float>{4, 5, 6}));
      // Writing through the view changes the feed, and nothing else.
      EXPECT_NE(outputs[0].storage->data(), feed.storage->data());
    }
  }
}

TEST(Plan, ContinuesAfterNodesWhoseSizesDependOnData) {
  const Graph graph{{node("Relu", {"x"}, {"r"}), node("NonZero", {"r"}, {"z"}), node("Transpose", {"z"}, {"places"}),
                     node("Cast", {"places"}, {"f"}, {int_of("to", 1)}), node("ReduceSum", {"f"}, {"s"}),
                     node("NonZero", {"s"}, {"again"}), node("Add", {"s", "r"}, {"y"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::float32), value_info("again", Dtype::int64), value_info("places", Dtype::int64)}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  Random random;
  for (int i = 0; i < 40; ++i) must(test::run(runs, {{"x", numbers({random.between(1, 3), 3}, random)}}));
}

TEST(Plan, ARunThatFailsLeavesTheModelUsable) {
  const Graph graph{{node("Neg", {"x"}, {"n"}), node("Gather", {"n", "i"}, {"y"})},
                    {value_info("x", Dtype::float32), value_info("i", Dtype::int64)},
                    {value_info("y", Dtype::float32)}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  const Tensor x = floats({3}, {1, 2, 3});
  EXPECT_EQ(elements<float>(must(test::run(runs, {{"x", x}, {"i", test::int64s({2}, {0, 2})}}))[0]),
            (std::vector<float>{-1, -3}));
  EXPECT_TRUE(test::fails(test::run(runs, {{"x", x}, {"i", test::int64s({2}, {0, 3})}}), Code::InvalidArgument, "3"));
  EXPECT_EQ(elements<float>(must(test::run(runs, {{"x", x}, {"i", test::int64s({2}, {1, 1})}}))[0]),
            (std::vector<float>{-2, -2}));
}

TEST(Plan, SizesThatNothingHasMemoryForAreTheSameErrorEachTime) {
  const Graph graph{{node("Expand", {"x", "shape"}, {"e"}), node("Neg", {"e"}, {"y"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::float32)},
                    {test::int64_tensor({2}, {1 << 24, 1 << 24}, "shape")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(test::fails(test::run(runs, {{"x", floats({1}, {1})}}), Code::OutOfMemory, "do not fit"));
  }
}

TEST(Plan, ItsMemoryIsCountedAndFreedWithTheModel) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const auto model = test::load(two_layers());
    ModelRun runs(*model);
    const std::size_t loaded = Storage::bytes_in_use();
    run_planned(runs, {{"x", floats({64, 2}, std::vector<float>(128, 1))}});
    EXPECT_GT(Storage::bytes_in_use(), loaded);
    // Many dims: only the last few plans are kept.
    for (int round = 0; round < 2; ++round) {
      for (std::int64_t rows = 1; rows < 64; ++rows) {
        run_planned(runs, {{"x", floats({rows, 2}, std::vector<float>(static_cast<std::size_t>(2 * rows), 1))}});
      }
    }
    EXPECT_LT(Storage::bytes_in_use(), loaded + 16384);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Plan, SharesLargeConstantsThatItComputesWithThoseForOtherDims) {
  const Graph graph{{node("Neg", {"w"}, {"n"}), node("MatMul", {"x", "n"}, {"y"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::float32)},
                    {test::float_tensor({200, 200}, std::vector<float>(40000, 0.5F), "w")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  const auto run_rows = [&](std::int64_t rows) {
    const Feeds feeds{{"x", floats({rows, 200}, std::vector<float>(static_cast<std::size_t>(200 * rows), 1))}};
    for (int i = 0; i < 3; ++i) must(test::run(runs, feeds));
  };
  run_rows(8);
  const std::size_t one = Storage::bytes_in_use();
  for (std::int64_t rows = 9; rows < 16; ++rows) run_rows(rows);
  EXPECT_LT(Storage::bytes_in_use(), one + 100000);
}

// A Loop whose body computes the state `y` from the state `s` and the outer value `x`.
Graph loop_of(std::vector<Proto> nodes, std::vector<Proto> initializers = {}) {
  Graph body{std::move(nodes),
             {value_info("i", Dtype::int64), value_info("c", Dtype::boolean), value_info("s", Dtype::float32)},
             {value_info("d", Dtype::boolean), value_info("y", Dtype::float32)}};
  body.nodes.push_back(node("Identity", {"c"}, {"d"}));
  Graph graph{{node("Loop", {"m", "", "x"}, {"last"}, {test::graph_of("body", body)})},
              {value_info("m", Dtype::int64), value_info("x", Dtype::float32)},
              {value_info("last", Dtype::float32)}};
  graph.initializers = std::move(initializers);
  return graph;
}

Tensor rounds(std::int64_t count) { return test::int64s({}, {count}); }

TEST(Plan, ABodyPacksItsWeightsOnce) {
  const std::vector<float> weights(4096, 0.01F);
  const auto model = test::load(
      loop_of({node("MatMul", {"s", "w"}, {"h"}), node("Tanh", {"h"}, {"y"})}, {test::float_tensor({64, 64}, weights, "w")}));
  ModelRun runs(*model);
  const std::size_t loaded = Storage::bytes_in_use();
  run_planned(runs, {{"m", rounds(3)}, {"x", floats({4, 64}, std::vector<float>(256, 1))}});
  EXPECT_GE(Storage::bytes_in_use(), loaded + 64 * 64 * sizeof(float));
}

TEST(Plan, StatesMayHaveOtherDimsInEachIteration) {
  const auto model = test::load(loop_of({node("Concat", {"s", "x"}, {"y"}, {test::int_of("axis", 0)})}));
  ModelRun runs(*model);
  for (const std::int64_t count : {0, 1, 5, 200, 3, 200}) {
    const std::vector<Tensor> found = must(test::run(runs, {{"m", rounds(count)}, {"x", floats({1, 2}, {1, 2})}}));
    EXPECT_EQ(found[0].dims(), (Dims{count + 1, 2}));
  }
}

TEST(Plan, ABodyContinuesAfterNodesWhoseSizesDependOnDataAndReadsOuterValues) {
  const auto model = test::load(loop_of({node("Tanh", {"s"}, {"t"}), node("NonZero", {"t"}, {"n"}), node("Shape", {"n"}, {"k"}),
                                         node("ReduceSum", {"k"}, {"r"}), node("Cast", {"r"}, {"f"}, {int_of("to", 1)}),
                                         node("Mul", {"x", "f"}, {"g"}), node("Add", {"g", "t"}, {"y"})}));
  ModelRun runs(*model);
  Random random;
  for (const std::int64_t columns : {3, 4, 3, 3, 5, 4}) {
    const std::vector<Tensor> found = must(test::run(runs, {{"m", rounds(7)}, {"x", numbers(Dims{2, columns}, random)}}));
    EXPECT_EQ(found[0].dims(), (Dims{2, columns}));
  }
}

TEST(Plan, StatesThatWereHandedOutStayAsTheyAre) {
  const auto model = test::load(loop_of({node("Add", {"s", "x"}, {"y"})}));
  ModelRun runs(*model);
  const Feeds feeds{{"m", rounds(3)}, {"x", floats({2}, {1, 2})}};
  const std::vector<Tensor> first = run_planned(runs, feeds);
  for (int i = 0; i < 3; ++i) run_planned(runs, {{"m", rounds(4)}, {"x", floats({2}, {5, 7})}});
  EXPECT_EQ(elements<float>(first[0]), (std::vector<float>{4, 8}));
  EXPECT_EQ(elements<float>(feeds[1].second), (std::vector<float>{1, 2}));
}

TEST(Plan, ADefaultMayBeFedOrNot) {
  const Graph graph{{node("Add", {"x", "d"}, {"y"})},
                    {value_info("x", Dtype::float32), value_info("d", Dtype::float32)},
                    {value_info("y", Dtype::float32)},
                    {test::float_tensor({1}, {10}, "d")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  const Tensor x = floats({1}, {1});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(elements<float>(must(test::run(runs, {{"x", x}}))[0]), (std::vector<float>{11}));
    EXPECT_EQ(elements<float>(must(test::run(runs, {{"x", x}, {"d", floats({1}, {2})}}))[0]), (std::vector<float>{3}));
  }
}

// Products of every size around a tile, with constant weights in both orders.
TEST(Plan, PackedWeightsHaveTheBitsOfUnpackedOnes) {
  Random random;
  for (const std::int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9}) {
    for (const std::int64_t depth : {1, 2, 5, 257}) {
      for (const std::int64_t columns : {1, 2, 7, 8, 9, 15, 16, 17, 33}) {
        const auto weights = elements<float>(numbers({depth, columns}, random));
        const Graph graph{
            {node("MatMul", {"x", "w"}, {"a"}), node("Transpose", {"v"}, {"t"}), node("MatMul", {"x", "t"}, {"b"}),
             node("Gemm", {"x", "v"}, {"c"}, {int_of("transB", 1)}), node("Gemm", {"x", "w", "a"}, {"d"})},
            {value_info("x", Dtype::float32)},
            {value_info("a", Dtype::float32), value_info("b", Dtype::float32), value_info("c", Dtype::float32),
             value_info("d", Dtype::float32)},
            {test::float_tensor({depth, columns}, weights, "w"), test::float_tensor({columns, depth}, weights, "v")}};
        const auto model = test::load(graph);
        ModelRun runs(*model);
        must(test::run(runs, {{"x", numbers({rows, depth}, random)}}));
      }
    }
  }
}

Proto float_of(std::string_view name, float value) { return test::attribute(name, AttributeType::FLOAT).fixed(2, value); }

TEST(Plan, ReadyProductsAndReductionsHaveTheBitsOfThoseNodeByNode) {
  Random random;
  const auto transposed = ints_of("perm", {0, 1, 3, 2});
  for (const List& bias : {List{3}, List{1, 3}, List{2, 1}, List{2, 3}, List{}}) {
    const Graph graph{
        {node("Gemm", {"x", "w", "c"}, {"a"}, {float_of("alpha", 0.5F), float_of("beta", 3), int_of("transB", 1)}),
         node("Gemm", {"x", "v"}, {"b"}, {float_of("alpha", 0.5F)}), node("MatMul", {"q", "k"}, {"s"}),
         node("Transpose", {"k"}, {"t"}, {transposed}), node("MatMul", {"s", "t"}, {"u"}),
         node("ReduceMean", {"u", "inner"}, {"m"}), node("ReduceL2", {"s", "first"}, {"n"})},
        {value_info("x", Dtype::float32), value_info("q", Dtype::float32), value_info("k", Dtype::float32)},
        {value_info("a", Dtype::float32), value_info("b", Dtype::float32), value_info("u", Dtype::float32),
         value_info("m", Dtype::float32), value_info("n", Dtype::float32)},
        {test::float_tensor({3, 4}, elements<float>(numbers({3, 4}, random)), "w"),
         test::float_tensor({4, 3}, elements<float>(numbers({4, 3}, random)), "v"),
         test::float_tensor(bias, elements<float>(numbers(Dims(std::span(bias)), random)), "c"),
         test::int64_tensor({2}, {1, -1}, "inner"), test::int64_tensor({1}, {0}, "first")}};
    const auto model = test::load(graph);
    ModelRun runs(*model);
    std::vector<std::vector<float>> means;
    for (int i = 0; i < 3; ++i) {
      const Feeds feeds{
          {"x", numbers({2, 4}, random)}, {"q", numbers({2, 3, 5, 4}, random)}, {"k", numbers({2, 3, 4, 12}, random)}};
      means.push_back(elements<float>(must(test::run(runs, feeds))[3]));
    }
    EXPECT_NE(means[0], means[1]);
  }
}

TEST(Plan, RandomGraphsHaveTheBitsOfRunsNodeByNode) {
  Random random;
  for (int i = 0; i < test::rounds(150); ++i) {
    const auto model = test::load(GraphMaker(random).rows(12));
    ModelRun runs(*model);
    std::vector<std::pair<std::vector<Tensor>, std::vector<test::Bytes>>> kept;
    for (int run = 0; run < 8; ++run) {
      Tensor x = numbers({random.between(0, 2), 3}, random);
      if (random.one_in(3)) {
        // A reversed view with gaps.
        const Tensor wide = numbers({2, 6}, random);
        x = {Dtype::float32, Layout{{2, 3}, {-6, 2}}, wide.storage, 6};
      }
      std::vector<Tensor> outputs = must(test::run(runs, {{"r0", x}, {"r1", numbers({random.between(1, 2), 3}, random)}}));
      std::vector<test::Bytes> bytes;
      for (const Tensor& output : outputs) bytes.push_back(test::bytes_of(output));
      kept.emplace_back(std::move(outputs), std::move(bytes));
    }
    for (const auto& [outputs, bytes] : kept) {
      for (std::size_t k = 0; k < outputs.size(); ++k) ASSERT_EQ(test::bytes_of(outputs[k]), bytes[k]) << "was overwritten";
    }
    if (testing::Test::HasFailure()) return;
  }
}

// ---- Weights that are packed ----

constexpr std::int64_t width = 160;
constexpr std::size_t weight_bytes = width * width * sizeof(float);

// Two products with one weight, and a third one with another.
struct Products {
  explicit Products(const std::vector<Proto>& more = {}) {
    Random random;
    for (Tensor* weight : {&w, &v}) *weight = numbers({width, width}, random);
    std::vector<Proto> nodes{node("MatMul", {"x", "w"}, {"h"}), node("MatMul", {"h", "w"}, {"g"}),
                             node("Gemm", {"g", "v"}, {"y"}, {int_of("transB", 1)})};
    nodes.insert(nodes.end(), more.begin(), more.end());
    std::vector<Proto> outputs{value_info("y", Dtype::float32)};
    if (!more.empty()) outputs.push_back(value_info("z", Dtype::float32));
    before = Storage::bytes_in_use();
    model = test::load({nodes,
                        {value_info("x", Dtype::float32)},
                        outputs,
                        {test::float_tensor({width, width}, elements<float>(w), "w"),
                         test::float_tensor({width, width}, elements<float>(v), "v")}});
    runs = std::make_unique<ModelRun>(*model);
    wanted = run_by_node(2);
  }
  std::vector<Tensor> run_by_node(std::int64_t rows) const {
    const ModelRun::Feed feed = {"x", &inputs(rows)};
    return must(runs->run(std::span(&feed, 1), {false}));
  }
  std::vector<Tensor> run(std::int64_t rows) const { return run_planned(*runs, {{"x", inputs(rows)}}); }
  const Tensor& inputs(std::int64_t rows) const {
    Random random;  // equal numbers each time
    x = numbers({rows, width}, random);
    return x;
  }
  const Initializer& initializer(std::string_view name) const { return *model->find(name)->initializer; }
  bool is_let_go(std::string_view name) const { return initializer(name).tensor.storage->substitute() != nullptr; }

  Tensor w;
  Tensor v;
  mutable Tensor x;
  std::size_t before = 0;
  ModelPtr model;
  std::unique_ptr<ModelRun> runs;
  std::vector<Tensor> wanted;
};

TEST(Plan, WeightsThatAllReadersReadPackedAreNotInMemoryTwice) {
  const Products products;
  for (int i = 0; i < 3; ++i) expect_same_bits(products.run(2), products.wanted);
  EXPECT_TRUE(products.is_let_go("w"));
  EXPECT_TRUE(products.is_let_go("v"));
  EXPECT_LT(Storage::bytes_in_use(), products.before + 2 * weight_bytes + weight_bytes / 2);
}

TEST(Plan, ElementsOfPackedWeightsAreReadAsTheyWere) {
  const Products products;
  products.run(2);
  for (const auto& [name, tensor] : {std::pair("w", &products.w), std::pair("v", &products.v)}) {
    const Initializer& one = products.initializer(name);
    EXPECT_EQ(bytes_of(must(elements_of(*one.value, &one))), bytes_of(*tensor));
    EXPECT_TRUE(products.is_let_go(name));
  }
  const std::string_view names[] = {"v", "h"};
  const ModelRun::Feed feed = {"x", &products.inputs(2)};
  for (int i = 0; i < 3; ++i) {
    const std::vector<Tensor> found = must(products.runs->run(std::span(&feed, 1), {true, nullptr, names}));
    EXPECT_EQ(bytes_of(found[0]), bytes_of(products.v));
  }
  expect_same_bits(products.run(2), products.wanted);
}

TEST(Plan, RunsOfOtherDimsAndNodeByNodeHavePackedWeights) {
  const Products products;
  products.run(2);
  for (int i = 0; i < 2; ++i) {
    for (const std::int64_t rows : {2, 3, 40, 1, 0, 3}) {
      const std::vector<Tensor> planned = products.run(rows);
      expect_same_bits(planned, products.run_by_node(rows));
      expect_same_bits(products.run(2), products.wanted);
    }
  }
}

TEST(Plan, AWeightThatANodeReadsAsItIsStays) {
  const Products products({node("Gather", {"w", "row"}, {"z"}), node("Constant", {}, {"row"}, {int_of("value_int", 7)})});
  for (int i = 0; i < 3; ++i) expect_same_bits(products.run(2), products.wanted);
  EXPECT_FALSE(products.is_let_go("w"));
  EXPECT_TRUE(products.is_let_go("v"));
}

TEST(Plan, AWeightThatSomebodyHoldsStays) {
  const Products products;
  const Initializer& one = products.initializer("w");
  const Tensor held = must(elements_of(*one.value, &one));
  for (int i = 0; i < 3; ++i) expect_same_bits(products.run(2), products.wanted);
  EXPECT_FALSE(products.is_let_go("w"));
  EXPECT_EQ(bytes_of(held), bytes_of(products.w));
}

TEST(Plan, PackedWeightsAreNotInMemoryTwiceBesideANodeThatRunsByItself) {
  const Products products({node("NonZero", {"h"}, {"places"}), node("Cast", {"places"}, {"z"}, {int_of("to", 1)})});
  for (int i = 0; i < 3; ++i) expect_same_bits(products.run(2), products.wanted);
  EXPECT_TRUE(products.is_let_go("w"));
  EXPECT_TRUE(products.is_let_go("v"));
  expect_same_bits(products.run_by_node(2), products.wanted);
  expect_same_bits(products.run(2), products.wanted);
}

TEST(Plan, WeightsOfTwoBytesStaySoWhenTheyArePacked) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    Random random;
    const Tensor w = must(in_type(numbers({width, width}, random), dtype));
    const Tensor f = must(in_type(numbers({width, 1, 17, 5}, random), dtype));
    const auto raw = [](const Tensor& tensor) {
      return std::string_view(reinterpret_cast<const char*>(tensor.data()), dense_size(tensor));
    };
    const std::size_t before = Storage::bytes_in_use();
    const auto model = test::load({{node("MatMul", {"x", "w"}, {"y"}), node("Unsqueeze", {"y", "axes"}, {"image"}),
                                    node("Conv", {"image", "f"}, {"z"}, {ints_of("pads", {8, 2, 8, 2})})},
                                   {value_info("x", dtype)},
                                   {value_info("y", dtype), value_info("z", dtype)},
                                   {raw_tensor(dtype, {width, width}, raw(w), "w"),
                                    raw_tensor(dtype, {width, 1, 17, 5}, raw(f), "f"), int64_tensor({2}, {0, 1}, "axes")}});
    ModelRun runs(*model);
    for (const std::int64_t rows : {1, 5, 5, 1}) {
      const Tensor x = must(in_type(numbers({rows, width}, random), dtype));
      const std::vector<Tensor> planned = run_planned(runs, {{"x", x}});
      const ModelRun::Feed feed = {"x", &x};
      expect_same_bits(planned, must(runs.run(std::span(&feed, 1), {false})));
    }
    // The filters are there as they are, too; the block has an image for each filter.
    const std::size_t halves = sizeof(std::uint16_t);
    const std::size_t weights = (2 * width * width + 2 * width * 17 * 5) * halves;
    EXPECT_LT(Storage::bytes_in_use(), before + weights + 2 * 5 * width * width * halves) << info(dtype).name;
  }
}

TEST(Plan, WhatFollowsALargeConvolutionIsComputedOncePerElement) {
  Random random;
  const std::int64_t channels = 64;
  const Tensor f = numbers({channels, channels, 3, 3}, random);
  const std::string_view bytes(reinterpret_cast<const char*>(f.data()), dense_size(f));
  const auto model = test::load({{node("Conv", {"x", "f"}, {"c"}, {ints_of("pads", {1, 1, 1, 1})}), node("Neg", {"c"}, {"y"})},
                                 {value_info("x", Dtype::float32)},
                                 {value_info("y", Dtype::float32)},
                                 {raw_tensor(Dtype::float32, {channels, channels, 3, 3}, bytes, "f")}});
  ModelRun runs(*model);
  for (const std::int64_t columns : {70, 9, 4, 1}) {
    const Tensor x = numbers({2, channels, 21, columns}, random);
    const ModelRun::Feed feed = {"x", &x};
    expect_same_bits(run_planned(runs, {{"x", x}}), must(runs.run(std::span(&feed, 1), {false})));
  }
}

// Sanitizers refuse a step from the address of a workspace that a plan does not have.
TEST(Plan, AResizeOfOneAxisNeedsNoWorkspace) {
  Random random;
  const Graph graph{
      {node("Resize", {"x", "", "scales"}, {"y"}, {test::attribute("mode", AttributeType::STRING).string(4, "linear")})},
      {value_info("x", Dtype::float32)},
      {value_info("y", Dtype::float32)},
      {test::float_tensor({3}, {1, 1, 2}, "scales")}};
  must(test::run(*test::load(graph), {{"x", numbers({1, 3, 9}, random)}}));
}

TEST(Plan, AProductThatIsStretchedIsNotComputedWithItsReader) {
  const Graph graph{{node("MatMul", {"x", "w"}, {"m"}), node("Add", {"m", "z"}, {"y"})},
                    {value_info("x", Dtype::float32), value_info("z", Dtype::float32)},
                    {value_info("y", Dtype::float32)},
                    {test::float_tensor({2, 1}, {1, 2}, "w")}};
  const auto model = test::load(graph);
  ModelRun runs(*model);
  const Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  for (const Dims& dims : {Dims{3, 4}, Dims{3, 1}, Dims{2, 3, 3}}) {
    const Tensor z = floats(dims, std::vector<float>(static_cast<std::size_t>(count_of(dims)), 100));
    const std::vector<float> found = elements<float>(must(test::run(runs, {{"x", x}, {"z", z}}))[0]);
    const auto columns = static_cast<std::size_t>(dims[dims.size() - 1]);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], static_cast<float>(105 + 6 * (i / columns % 3)));
  }
}

TEST(Plan, ComputedWeightsThatAreReadPackedAreLetGo) {
  // float16 weights that a Cast widens: the file's, and the packed ones.
  Random random;
  const Tensor w = must(in_type(numbers({width, width}, random), Dtype::float16));
  const std::size_t before = Storage::bytes_in_use();
  const auto model = test::load({{node("Cast", {"w"}, {"wide"}, {int_of("to", 1)}), node("MatMul", {"x", "wide"}, {"y"})},
                                 {value_info("x", Dtype::float32)},
                                 {value_info("y", Dtype::float32)},
                                 {raw_tensor(Dtype::float16, {width, width},
                                             std::string_view{reinterpret_cast<const char*>(w.data()), dense_size(w)}, "w")}});
  ModelRun runs(*model);
  for (const std::int64_t rows : {2, 3, 3, 2}) {
    const Tensor x = numbers({rows, width}, random);
    const std::vector<Tensor> planned = run_planned(runs, {{"x", x}});
    const ModelRun::Feed feed = {"x", &x};
    expect_same_bits(planned, must(runs.run(std::span(&feed, 1), {false})));
  }
  EXPECT_LT(Storage::bytes_in_use(), before + weight_bytes / 2 + weight_bytes + weight_bytes / 2);
}

}  // namespace
}  // namespace broadloom::test::plan_test
