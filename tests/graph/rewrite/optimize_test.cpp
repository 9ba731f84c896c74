// The optimized copy that runs in place of a model. test::run compares both in every test of graphs. Here are the cases
// in which nodes are removed, or in which a failing node could be lost.
#include "graph/rewrite/optimize.h"

#include <cstring>

#include "support/pass_graphs.h"

namespace broadloom::test::optimize_test {
namespace {

Proto any(std::string_view name) { return value_info(name, Dtype::float32); }

TEST(AnOptimizedModel, ComputesEqualNodesOnce) {
  const Graph graph{{node("Softmax", {"x"}, {"a"}), node("Softmax", {"x"}, {"b"}), node("Neg", {"a"}, {"c"}),
                     node("Neg", {"b"}, {"d"}), node("Add", {"c", "d"}, {"y"})},
                    {any("x")},
                    {any("y")}};
  const auto model = load(graph);
  EXPECT_EQ(operators_of(optimized(*model).get()), "Softmax Neg Add");
  must(test::run(*model, {{"x", floats({2}, {1, 2})}}));
}

TEST(AnOptimizedModel, MayDequantizeAnInputWithoutAnElementType) {
  const Graph graph{{node("DequantizeLinear", {"x", "scale"}, {"y"})},
                    {Proto().string(1, "x").message(2, Proto().message(1, Proto())), any("scale")},
                    {any("y")}};
  const Feeds feeds{{"x", zeros(Dtype::uint8, {2})}, {"scale", floats({}, {1})}};
  const ModelPtr loaded = must(read_model(model(graph), {Unsupported::allowed}));
  EXPECT_TRUE(fails(test::run(*loaded, feeds), Code::UnsupportedType, "declares no element type"));
}

TEST(AnOptimizedModel, InlinesAnIfWhoseConditionIsKnownBeforeARun) {
  const Graph row{{node("Unsqueeze", {"x", "zero"}, {"u"}), node("Relu", {"u"}, {"t"})}, {}, {any("t")}};
  const Graph same{{node("Relu", {"x"}, {"e"})}, {}, {any("e")}};
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("Size", {"s"}, {"rank"}), node("Equal", {"rank", "one"}, {"is_list"}),
                     branches({"h"}, row, same, "is_list"), node("Neg", {"h"}, {"y"})},
                    {value_info("x", Dtype::float32, {3})},
                    {any("y")},
                    {test::int64_tensor({1}, {0}, "zero"), test::int64_tensor({}, {1}, "one")}};
  const auto model = load(graph);
  ModelRun runs(*model);
  const auto copy = optimized(*model);
  EXPECT_EQ(operators_of(copy.get()), "Shape Unsqueeze Relu Neg");
  must(test::run(runs, {{"x", floats({3}, {1, -2, 3})}}));
  for (const Node* one : copy->graph->order) {
    ASSERT_NE(one->origin, nullptr);
    EXPECT_EQ(one->origin->op_type, one->op_type);
  }
}

TEST(AnOptimizedModel, IsNotMadeIfThereIsNothingToGain) {
  const Graph graph{{node("MatMul", {"x", "w"}, {"h"}), node("Add", {"h", "b"}, {"i"}), node("Add", {"i", "c"}, {"y"})},
                    {any("x")},
                    {any("y")},
                    {test::float_tensor({2, 2}, {1, 2, 3, 4}, "w"), test::float_tensor({2}, {1, 2}, "b"),
                     test::float_tensor({2}, {1, 2}, "c"), test::float_tensor({1}, {1}, "nobody reads it")}};
  EXPECT_EQ(optimized(*load(graph)), nullptr);
}

// A convolution without filters that mix channels, and a BatchNormalization with these lists of numbers.
Graph normalised(const std::vector<float>& scale, const Proto& image) {
  const auto size = static_cast<std::int64_t>(scale.size());
  return {{node("Conv", {"x", "w"}, {"c"}), node("BatchNormalization", {"c", "s", "b", "m", "v"}, {"n"}, {}, "norm"),
           node("Relu", {"n"}, {"y"})},
          {image},
          {any("y")},
          {test::float_tensor({3, 2, 1, 1}, {1, 2, -3, 4, 5, -6}, "w"), test::float_tensor({size}, scale, "s"),
           test::float_tensor({size}, std::vector<float>(scale.size(), 0.3F), "b"),
           test::float_tensor({size}, std::vector<float>(scale.size(), 0.7F), "m"),
           test::float_tensor({size}, std::vector<float>(scale.size(), 1.1F), "v")}};
}

TEST(AnOptimizedModel, HasElementwiseNodesInPlaceOfABatchNormalization) {
  const auto model = load(normalised({1, 2, 3}, any("x")));
  ModelRun runs(*model);
  EXPECT_EQ(operators_of(optimized(*model).get()), "Conv Sub Mul Add Relu");
  std::vector<float> pixels(2 * 5 * 7);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 11) / 3 - 1;
  must(test::run(runs, {{"x", floats({1, 2, 5, 7}, pixels)}}));
}

TEST(AnOptimizedModel, KeepsABatchNormalizationWhoseNumbersDoNotFitTheChannels) {
  const auto model = load(normalised({1}, any("x")));
  EXPECT_TRUE(test::fails(test::run(*model, {{"x", floats({1, 2, 1, 1}, {1, 2})}}), Code::InvalidArgument, "norm"));
}

// A convolution whose result is quantised with the zero point `z`, and dequantised with `u`.
Graph quantised(Dtype dtype, const std::string& z, const std::string& u) {
  return {{node("Conv", {"x", "w"}, {"c"}), node("QuantizeLinear", {"c", "s", "z"}, {"q"}),
           node("DequantizeLinear", {"q", "t", "u"}, {"d"}), node("Relu", {"d"}, {"y"}), node("Reciprocal", {"d"}, {"r"})},
          {any("x")},
          {any("y"), any("r")},
          {test::float_tensor({1, 1, 1, 1}, {1}, "w"), test::float_tensor({}, {0.375F}, "s"),
           test::float_tensor({}, {0.75F}, "t"), test::raw_tensor(dtype, {}, z, "z"), test::raw_tensor(dtype, {}, u, "u")}};
}

TEST(AnOptimizedModel, HasOneElementwiseNodeInPlaceOfElementsThatAreQuantisedAndDequantised) {
  std::vector<float> pixels;
  for (int i = -300; i <= 300; ++i) pixels.push_back(static_cast<float>(i) * 0.1875F);
  for (const float special : {0.0F, -0.0F, -0.1F, 1e9F, -1e9F, 1e38F, INFINITY, -INFINITY, NAN, -NAN})
    pixels.push_back(special);
  const auto size = static_cast<std::int64_t>(pixels.size());
  const auto check = [&](Dtype dtype, const std::string& zero) {
    const auto model = load(quantised(dtype, zero, zero));
    ModelRun runs(*model);
    EXPECT_EQ(operators_of(optimized(*model).get()), "Conv DequantizeLinear Relu Reciprocal");
    must(test::run(runs, {{"x", floats({1, 1, 1, size}, pixels)}}));
  };
  const std::string none(1, '\0');
  check(Dtype::int8, none);
  check(Dtype::uint8, "\x80");
  check(Dtype::int8, "\xF0");
  check(Dtype::uint16, std::string("\x01\x00", 2));
  check(Dtype::int16, std::string("\x00\x80", 2));
  EXPECT_EQ(optimized(*load(quantised(Dtype::uint8, "\x80", "\x81"))), nullptr);
}

TEST(AnOptimizedModel, KeepsElementsThatAreQuantisedPerChannel) {
  Graph graph = quantised(Dtype::int8, std::string(1, '\0'), std::string(1, '\0'));
  graph.initializers[1] = test::float_tensor({1}, {0.5F}, "s");
  EXPECT_EQ(operators_of(optimized(*load(graph)).get()), "Conv DequantizeLinear Relu Reciprocal");
  graph.initializers[1] = test::float_tensor({2}, {0.5F, 0.25F}, "s");
  EXPECT_EQ(optimized(*load(graph)), nullptr);
}

// Weights of 4 bits would become eight times as large.
TEST(AnOptimizedModel, DequantisesWeightsOnceUnlessTheyHave4Bits) {
  const auto weights = [](Dtype dtype) {
    return Graph{
        {node("DequantizeLinear", {"w", "s"}, {"d"}), node("MatMul", {"x", "d"}, {"y"})},
        {any("x")},
        {any("y")},
        {test::raw_tensor(dtype, {2, 1}, is_packed(dtype) ? "\x21" : "\x01\x02", "w"), test::float_tensor({}, {0.5F}, "s")}};
  };
  const auto model = load(weights(Dtype::int8));
  EXPECT_EQ(operators_of(optimized(*model).get()), "MatMul");
  must(test::run(*model, {{"x", floats({1, 2}, {3, 4})}}));
  EXPECT_EQ(optimized(*load(weights(Dtype::int4))), nullptr);
}

TEST(AnOptimizedModel, SharesItsWeights) {
  const std::vector<float> weights(256 * 256, 0.5F);
  const Graph graph{{node("Transpose", {"w"}, {"t"}), node("Identity", {"t"}, {"i"}), node("MatMul", {"x", "i"}, {"y"})},
                    {any("x")},
                    {any("y")},
                    {test::float_tensor({256, 256}, weights, "w")}};
  const auto model = load(graph);
  const std::size_t before = Storage::bytes_in_use();
  const auto copy = optimized(*model);
  EXPECT_EQ(operators_of(copy.get()), "Transpose MatMul");
  EXPECT_LT(Storage::bytes_in_use(), before + 1024);
}

// ---- Runs that fail ----

// The nodes after the If only accept the result of one branch, so a run that takes the other branch fails.
TEST(AnOptimizedModel, FailsWhereTheModelFailsEvenIfAnotherBranchWouldSucceed) {
  const Graph wide{{node("Unsqueeze", {"x", "axes"}, {"t"})}, {}, {any("t")}};
  const Graph same{{node("Neg", {"x"}, {"e"})}, {}, {any("e")}};
  const Graph graph{
      {node("ReduceSum", {"x"}, {"sum"}), node("Greater", {"sum", "zero"}, {"many"}), node("Squeeze", {"many"}, {"holds"}),
       branches({"h"}, wide, same, "holds"), node("Transpose", {"h"}, {"y"}, {test::ints_of("perm", {0})}, "turn")},
      {value_info("x", Dtype::float32, {2})},
      {any("y")},
      {test::int64_tensor({1}, {0}, "axes"), test::float_tensor({}, {0}, "zero")}};
  const auto model = load(graph);
  ModelRun runs(*model);
  must(test::run(runs, {{"x", floats({2}, {-1, -2})}}));
  EXPECT_TRUE(test::fails(test::run(runs, {{"x", floats({2}, {1, 2})}}), Code::InvalidArgument, "turn"));
}

TEST(AnOptimizedModel, FailsInNodesThatNobodyReads) {
  const Graph graph{
      {node("Identity", {"x"}, {"i"}), node("Reshape", {"i", "three"}, {"nobody"}, {}, "unread"), node("Neg", {"i"}, {"y"})},
      {any("x")},
      {any("y")},
      {test::int64_tensor({1}, {3}, "three")}};
  const auto model = load(graph);
  ModelRun runs(*model);
  must(test::run(runs, {{"x", floats({3}, {1, 2, 3})}}));
  EXPECT_TRUE(test::fails(test::run(runs, {{"x", floats({2}, {1, 2})}}), Code::InvalidArgument, "unread"));
}

TEST(AnOptimizedModel, NamesTheNodeOfTheFileThatFails) {
  const Graph graph{
      {node("Concat", {"a", "b"}, {"inner"}, {int_of("axis", 0)}, "inside"), node("Identity", {"inner"}, {"same"}),
       node("Concat", {"same", "c"}, {"y"}, {int_of("axis", 0)}, "outside")},
      {any("a"), any("b"), any("c")},
      {any("y")}};
  const auto model = load(graph);
  ModelRun runs(*model);
  const Tensor two = floats({1, 2}, {1, 2});
  const Tensor three = floats({1, 3}, {1, 2, 3});
  EXPECT_EQ(operators_of(optimized(*model).get()), "Concat Concat");
  EXPECT_TRUE(test::fails(test::run(runs, {{"a", two}, {"b", three}, {"c", two}}), Code::InvalidArgument, "node 'inside'"));
  EXPECT_TRUE(test::fails(test::run(runs, {{"a", two}, {"b", two}, {"c", three}}), Code::InvalidArgument, "node 'outside'"));
}

TEST(AnOptimizedModel, KeepsTheBitsOfSignallingNaNs) {
  const std::uint32_t bits = 0x7FA00001;
  float number;
  std::memcpy(&number, &bits, sizeof number);
  for (const char* op : {"Mul", "Div"}) {
    const Graph graph{{node("Identity", {"x"}, {"i"}), node(op, {"i", "one"}, {"y"})},
                      {value_info("x", Dtype::float32, {2})},
                      {any("y")},
                      {test::float_tensor({}, {1}, "one")}};
    must(test::run(*load(graph), {{"x", floats({2}, {number, 1})}}));
  }
}

TEST(AnOptimizedModel, KeepsOfALargeConstantTheSmallPartThatIsRead) {
  const Graph graph{{node("Expand", {"one", "shape"}, {"e"}), node("Softmax", {"e"}, {"s"}),
                     node("Slice", {"s", "zero", "two", "zero"}, {"y"})},
                    {},
                    {any("y")},
                    {test::float_tensor({1}, {1}, "one"), test::int64_tensor({2}, {200, 100}, "shape"),
                     test::int64_tensor({1}, {0}, "zero"), test::int64_tensor({1}, {2}, "two")}};
  const auto model = load(graph);
  EXPECT_EQ(operators_of(optimized(*model).get()), "Constant");
  EXPECT_EQ(must(test::run(*model, {}))[0].storage->size(), 800U);
}

// ---- Its profile ----

double ticks() {
  static double now = 0;
  return now += 1;
}

TEST(AProfile, OfAnOptimizedModelHasTheNodesOfTheFile) {
  const Graph graph{
      {node("Softmax", {"x"}, {"a"}, {}, "first"), node("Softmax", {"x"}, {"b"}, {}, "again"),
       node("Neg", {"a"}, {"c"}, {}, "c"), node("Identity", {"c"}, {"i"}, {}, "i"), node("Add", {"i", "b"}, {"y"}, {}, "sum")},
      {any("x")},
      {any("y")}};
  const auto model = load(graph);
  const Tensor x = floats({2}, {1, 2});
  const ModelRun::Feed feeds[] = {{"x", &x}};
  ModelRun runs(*model);
  must(runs.run(feeds));
  Profile profile = must(Profile::make(*model->graph, ticks));
  must(runs.run(feeds, {true, &profile}));
  std::string text;
  for (const Profile::Row& row : profile.rows()) {
    text += std::string(row.node->name) + " " + std::to_string(row.calls);
    if (row.fused_into != nullptr) text += " in " + std::string(row.fused_into->name);
    text += "; ";
  }
  EXPECT_EQ(text, "first 1; again 0; c 1 in sum; i 0; sum 1; ");
}

TEST(AProfile, HasNoCallOfAnIfThatTheModelDecides) {
  // Both outputs are the input: the copy has an Identity for each.
  const Graph given{{node("Identity", {"x"}, {"t"}), node("Identity", {"x"}, {"u"})}, {}, {any("t"), any("u")}};
  const Graph turned{{node("Neg", {"x"}, {"e"}), node("Neg", {"x"}, {"f"})}, {}, {any("e"), any("f")}};
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("Size", {"s"}, {"rank"}), node("Equal", {"rank", "one"}, {"is_list"}),
                     branches({"y", "z"}, given, turned, "is_list")},
                    {value_info("x", Dtype::float32, {2})},
                    {any("y"), any("z")},
                    {test::int64_tensor({}, {1}, "one")}};
  const auto model = load(graph);
  const Tensor x = floats({2}, {1, 2});
  const ModelRun::Feed feeds[] = {{"x", &x}};
  ModelRun runs(*model);
  Profile profile = must(Profile::make(*model->graph, ticks));
  must(runs.run(feeds, {true, &profile}));
  EXPECT_EQ(profile.rows()[3].node->op_type, "If");
  EXPECT_EQ(profile.rows()[3].calls, 0U);
}

}  // namespace
}  // namespace broadloom::test::optimize_test
