// Runs of loaded models.
#include "support/models.h"

namespace broadloom::test::run_test {
namespace {

Graph expand_graph() {
  return {{node("Expand", {"x", "shape"}, {"y"}, {}, "e")},
          {value_info("x", Dtype::float32), value_info("shape", Dtype::int64)},
          {value_info("y", Dtype::float32)}};
}

Graph identity_graph(const Proto& input) {
  return {{node("Identity", {"x"}, {"y"})}, {input}, {value_info("y", Dtype::undefined)}};
}

TEST(Run, ReturnsTheOutputsInOrder) {
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("ConstantOfShape", {"s"}, {"z"}), node("Identity", {"x"}, {"i"})},
                    {value_info("x", Dtype::int8)},
                    {value_info("i", Dtype::int8), value_info("z", Dtype::float32), value_info("s", Dtype::int64)}};
  const auto outputs = must(run(*load(graph), {{"x", test::zeros(Dtype::int8, {2, 3})}}));
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs[0].dtype, Dtype::int8);
  EXPECT_EQ(elements<float>(outputs[1]), std::vector<float>(6, 0));
  EXPECT_EQ(elements<std::int64_t>(outputs[2]), (List{2, 3}));
}

TEST(Run, CanBeRepeatedWithOtherInputs) {
  const auto model = load(expand_graph());
  ModelRun runs(*model);
  for (std::int64_t n = 0; n < 4; ++n) {
    const auto outputs = must(run(runs, {{"x", floats({1}, {static_cast<float>(n)})}, {"shape", shape_of({n})}}));
    EXPECT_EQ(elements<float>(outputs[0]), std::vector<float>(static_cast<std::size_t>(n), static_cast<float>(n)));
  }
}

TEST(Run, TheOrderOfFeedsDoesNotMatter) {
  const Feeds feeds{{"shape", shape_of({2})}, {"x", floats({}, {7})}};
  EXPECT_EQ(elements<float>(run_one(expand_graph(), feeds)), (std::vector<float>{7, 7}));
}

TEST(Run, ConstantsNeedNoFeed) {
  const Graph graph{{node("Constant", {}, {"s"}, {test::attribute("value_ints", AttributeType::INTS).varints(8, {2})}),
                     node("Expand", {"x", "s"}, {"y"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::float32)}};
  const auto model = load(graph);
  ModelRun runs(*model);
  EXPECT_EQ(names_of(model->graph->inputs), test::Names{"x"});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(elements<float>(must(run(runs, {{"x", floats({}, {7})}}))[0]), (std::vector<float>{7, 7}));
  }
}

TEST(Run, AnInputCanBeAnOutput) {
  Graph graph = identity_graph(value_info("x", Dtype::float32));
  graph.outputs.push_back(value_info("x", Dtype::float32));
  const auto outputs = must(run(*load(graph), {{"x", floats({1}, {3})}}));
  EXPECT_EQ(elements<float>(outputs[1]), std::vector<float>{3});
}

TEST(Run, AnInitializerCanBeAnOutput) {
  const Graph graph{{}, {}, {value_info("w", Dtype::float32)}, {float_tensor({2}, {1, 2}, "w")}};
  EXPECT_EQ(elements<float>(run_one(graph)), (std::vector<float>{1, 2}));
}

TEST(Run, OneValueCanBeReadByManyNodesAndTwiceByOne) {
  const Graph graph{{node("Shape", {"x"}, {"s"}), node("Shape", {"s"}, {"t"}), node("Expand", {"s", "s"}, {"y"}),
                     node("Identity", {"s"}, {"u"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("y", Dtype::int64), value_info("t", Dtype::int64), value_info("u", Dtype::int64)}};
  const auto outputs = must(run(*load(graph), {{"x", floats({1, 2}, {1, 2})}}));
  EXPECT_EQ(elements<std::int64_t>(outputs[0]), (List{1, 2}));
  EXPECT_EQ(elements<std::int64_t>(outputs[1]), List{2});
  EXPECT_EQ(elements<std::int64_t>(outputs[2]), (List{1, 2}));
}

TEST(Run, ResultsThatNobodyReadsAreDropped) {
  Graph graph = expand_graph();
  graph.nodes.push_back(node("Shape", {"y"}, {"unread"}));
  EXPECT_EQ(elements<float>(run_one(graph, {{"x", floats({}, {7})}, {"shape", shape_of({2})}})), (std::vector<float>{7, 7}));
}

TEST(Run, AnInitializerIsTheDefaultOfItsInput) {
  Graph graph = expand_graph();
  graph.initializers = {int64_tensor({1}, {2}, "shape")};
  const auto model = load(graph);
  ModelRun runs(*model);
  EXPECT_FALSE(test::records(model->graph->inputs)[0]->initializer != nullptr);
  EXPECT_TRUE(test::records(model->graph->inputs)[1]->initializer != nullptr);
  const Tensor x = floats({}, {7});
  EXPECT_EQ(elements<float>(must(run(runs, {{"x", x}}))[0]), (std::vector<float>{7, 7}));
  EXPECT_EQ(elements<float>(must(run(runs, {{"x", x}, {"shape", shape_of({3})}}))[0]), (std::vector<float>{7, 7, 7}));
  EXPECT_EQ(elements<float>(must(run(runs, {{"x", x}}))[0]), (std::vector<float>{7, 7}));
}

TEST(Run, AnInitializerThatIsNotAnInputCannotBeFed) {
  Graph graph = expand_graph();
  graph.inputs.pop_back();
  graph.initializers = {int64_tensor({1}, {2}, "shape")};
  const auto model = load(graph);
  ModelRun runs(*model);
  EXPECT_EQ(names_of(model->graph->inputs), test::Names{"x"});
  const Tensor x = floats({}, {7});
  EXPECT_EQ(elements<float>(must(run(runs, {{"x", x}}))[0]), (std::vector<float>{7, 7}));
  EXPECT_TRUE(fails(run(runs, {{"x", x}, {"shape", shape_of({3})}}), Code::InvalidArgument, "no input 'shape'"));
}

TEST(Run, ASparseInitializerIsDense) {
  const Proto sparse = Proto().message(1, float_tensor({1}, {5}, "w")).message(2, int64_tensor({1}, {1})).varints(3, {3});
  const Graph graph{{node("Identity", {"w"}, {"y"})}, {}, {value_info("y", Dtype::float32)}, {}, {sparse}};
  EXPECT_EQ(elements<float>(run_one(graph)), (std::vector<float>{0, 5, 0}));
}

TEST(Run, AMissingInputIsRefused) {
  EXPECT_TRUE(fails(run(*load(expand_graph()), {{"x", floats({}, {7})}}), Code::InvalidArgument,
                    "input 'shape' is missing, wanted int64"));
}

TEST(Run, AnUnknownInputIsRefusedWithAListOfTheInputs) {
  const Feeds feeds{{"x", floats({}, {7})}, {"size", shape_of({2})}};
  EXPECT_TRUE(fails(run(*load(expand_graph()), feeds), Code::InvalidArgument, "no input 'size'; the model has 'x', 'shape'"));
  EXPECT_TRUE(fails(run(*load(test::one_constant({test::int_of("value_int", 1)})), feeds), Code::InvalidArgument, "none"));
}

TEST(Run, AnInputOfAnotherTypeIsRefused) {
  const Feeds feeds{{"x", test::zeros(Dtype::float64, {})}, {"shape", shape_of({2})}};
  EXPECT_TRUE(fails(run(*load(expand_graph()), feeds), Code::InvalidArgument, "input 'x' is float64, wanted float32"));
}

TEST(Run, ADefaultThatIsOverriddenIsCheckedToo) {
  Graph graph = expand_graph();
  graph.initializers = {int64_tensor({1}, {2}, "shape")};
  const Feeds feeds{{"x", floats({}, {7})}, {"shape", floats({1}, {2})}};
  EXPECT_TRUE(fails(run(*load(graph), feeds), Code::InvalidArgument, "input 'shape' is float32, wanted int64"));
}

TEST(Run, ADefaultHasTheDimsThatItsInputDeclares) {
  Graph graph = expand_graph();
  graph.inputs[0] = value_info("x", Dtype::float32, {"n"});
  graph.inputs[1] = value_info("shape", Dtype::int64, {"n"});
  graph.initializers = {int64_tensor({2}, {2, 2}, "shape")};
  EXPECT_TRUE(test::succeeds(run(*load(graph), {{"x", floats({2}, {7, 8})}})));
  const Tensor one = floats({1}, {7});
  EXPECT_TRUE(test::succeeds(run(*load(graph), {{"x", one}}))) << "'n' is 1 and 2";
  EXPECT_TRUE(test::succeeds(run(*load(graph), {{"x", one}, {"shape", shape_of({5})}})));
  graph.inputs[1] = value_info("shape", Dtype::int64, {1});
  EXPECT_TRUE(fails(run(*load(graph), {{"x", one}}), Code::InvalidArgument, "input 'shape' has dims [2], wanted [1]"));
}

testing::AssertionResult accepts(const Proto& input, const List& dims) {
  return test::succeeds(run(*load(identity_graph(input)), {{"x", test::zeros(Dtype::float32, test::dims_of(dims))}}));
}

testing::AssertionResult rejects(const Proto& input, const List& dims, std::string_view part) {
  return fails(run(*load(identity_graph(input)), {{"x", test::zeros(Dtype::float32, test::dims_of(dims))}}),
               Code::InvalidArgument, part);
}

TEST(Run, FixedSizesOfAnInputAreChecked) {
  const Proto input = value_info("x", Dtype::float32, {2, 3});
  EXPECT_TRUE(accepts(input, {2, 3}));
  EXPECT_TRUE(rejects(input, {3, 2}, "input 'x' has dims [3, 2], wanted [2, 3]"));
  EXPECT_TRUE(rejects(input, {2}, "wanted [2, 3]"));
  EXPECT_TRUE(rejects(input, {2, 3, 1}, "wanted [2, 3]"));
  EXPECT_TRUE(rejects(input, {}, "wanted [2, 3]"));
}

TEST(Run, ADeclaredScalarTakesOnlyAScalar) {
  const Proto input = value_info("x", Dtype::float32, {});
  EXPECT_TRUE(accepts(input, {}));
  EXPECT_TRUE(rejects(input, {1}, "wanted []"));
}

TEST(Run, AnInputWithoutAShapeTakesAnyRank) {
  const Proto input = value_info("x", Dtype::float32);
  for (const List& dims : {List{}, List{0}, List{2, 3}, List(9, 1)}) EXPECT_TRUE(accepts(input, dims));
}

TEST(Run, NamedAndUnknownSizesTakeAnySize) {
  EXPECT_TRUE(accepts(value_info("x", Dtype::float32, {"N"}), {5}));
  EXPECT_TRUE(accepts(value_info("x", Dtype::float32, {""}), {5}));
  EXPECT_TRUE(accepts(value_info("x", Dtype::float32, {"N", "M"}), {5, 0}));
  EXPECT_TRUE(rejects(value_info("x", Dtype::float32, {"N", ""}), {5}, "wanted [N, ?]"));
}

TEST(Run, AFixedSizeAfterANamedOrUnknownOneIsComparedWithItsOwnAxis) {
  for (const char* name : {"N", ""}) {
    const Proto input = value_info("x", Dtype::float32, {name, 3});
    EXPECT_TRUE(accepts(input, {2, 3})) << name;
    EXPECT_TRUE(rejects(input, {3, 2}, "input 'x' has dims [3, 2]")) << name;
    EXPECT_TRUE(rejects(input, {2, 2}, "input 'x' has dims [2, 2]")) << name;
  }
  EXPECT_TRUE(accepts(value_info("x", Dtype::float32, {2, "N", 3, "", 4}), {2, 9, 3, 9, 4}));
}

// ---- Names of sizes ----

TEST(Run, SizesOfOneNameMayDifferWithinAnInput) {
  const Proto input = value_info("x", Dtype::float32, {"N", "N"});
  EXPECT_TRUE(accepts(input, {3, 3}));
  EXPECT_TRUE(accepts(input, {3, 4}));
}

TEST(Run, TheFirstTimeThatANameStandsForTwoSizesIsAWarning) {
  const Graph graph{{node("Identity", {"x"}, {"y"})},
                    {value_info("x", Dtype::float32, {"N"}), value_info("z", Dtype::float32, {"M", "N"})},
                    {value_info("y", Dtype::float32)}};
  const auto model = load(graph);
  ModelRun runs(*model);
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(test::succeeds(run(runs, {{"x", x}, {"z", test::zeros(Dtype::float32, {5, 2})}})));
  EXPECT_EQ(warnings_of(*model), Names());
  EXPECT_TRUE(test::succeeds(run(runs, {{"x", x}, {"z", test::zeros(Dtype::float32, {2, 5})}})));
  const Names one{"sizes of inputs that the file calls 'N' differ in a run: it is 5 in 'z', but 2 elsewhere"};
  EXPECT_EQ(warnings_of(*model), one);
  EXPECT_TRUE(test::succeeds(run(runs, {{"x", floats({0}, {})}, {"z", test::zeros(Dtype::float32, {2, 5})}})));
  const Tensor z = test::zeros(Dtype::float32, {3, 7});
  const std::vector<ModelRun::Feed> feeds{{"x", &x}, {"z", &z}};
  const std::string_view wanted[] = {"y"};
  EXPECT_TRUE(test::succeeds(runs.run(feeds, {true, nullptr, wanted}))) << "nor does a part of the model warn again";
  EXPECT_TRUE(test::succeeds(runs.run(feeds, {false})));
  EXPECT_EQ(warnings_of(*model), one) << "one for each name";
}

TEST(Run, NothingIsDecidedByTwoNamesThatAreEqual) {
  // Is it one size? Then the sum of x, else its product with 2.
  const Graph graph{{node("Shape", {"x"}, {"a"}), node("Shape", {"z"}, {"b"}), node("Equal", {"a", "b"}, {"same"}),
                     node("Where", {"same", "one", "two"}, {"y"})},
                    {value_info("x", Dtype::float32, {"N"}), value_info("z", Dtype::float32, {"N"})},
                    {value_info("y", Dtype::float32)},
                    {float_tensor({1}, {1}, "one"), float_tensor({1}, {2}, "two")}};
  const auto model = load(graph);
  ModelRun runs(*model);
  for (const std::int64_t size : {2, 3, 2, 3}) {
    const auto result = must(run(runs, {{"x", floats({2}, {1, 2})}, {"z", test::zeros(Dtype::float32, {size})}}));
    EXPECT_EQ(elements<float>(result[0]), std::vector<float>{size == 2 ? 1.0F : 2.0F});
  }
}

TEST(Run, AnErrorOfANodeNamesNodeOperatorAndOpset) {
  const auto result = run(*load(expand_graph(), 12), {{"x", floats({2}, {1, 2})}, {"shape", shape_of({3})}});
  ASSERT_TRUE(fails(result, Code::InvalidArgument, "node 'e': Expand-8: cannot broadcast [2] to [3]"));
  EXPECT_EQ(result.error()->node.view(), "e");
  EXPECT_EQ(result.error()->op.view(), "Expand");
  EXPECT_EQ(result.error()->opset, 12);
}

TEST(Run, AfterAnErrorTheModelStillRunsAndNothingIsKept) {
  const auto model = load(expand_graph());
  ModelRun runs(*model);
  const std::size_t before = Storage::bytes_in_use();
  {
    EXPECT_TRUE(fails(run(runs, {{"x", floats({2}, {1, 2})}, {"shape", shape_of({-1})}}), Code::InvalidArgument));
    EXPECT_EQ(Storage::bytes_in_use(), before);
    const auto outputs = must(run(runs, {{"x", floats({}, {7})}, {"shape", shape_of({2})}}));
    EXPECT_EQ(elements<float>(outputs[0]), (std::vector<float>{7, 7}));
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Run, ValuesThatNoNodeNeedsAnyMoreAreFreedWithTheRun) {
  const std::size_t before = Storage::bytes_in_use();
  {
    Graph graph = expand_graph();
    graph.nodes.push_back(node("Shape", {"y"}, {"s"}));
    graph.outputs = {value_info("s", Dtype::int64)};
    const auto outputs = must(run(*load(graph), {{"x", floats({}, {7})}, {"shape", shape_of({2, 3})}}));
    EXPECT_EQ(Storage::bytes_in_use(), before + 16);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Run, WritingToAnOutputChangesNeitherTheModelNorTheInputs) {
  Graph graph = identity_graph(value_info("x", Dtype::float32));
  graph.initializers = {float_tensor({2}, {1, 2}, "w")};
  graph.outputs.push_back(value_info("w", Dtype::float32));
  const auto model = load(graph);
  ModelRun runs(*model);
  const Tensor x = floats({1}, {3});
  for (int round = 0; round < 2; ++round) {
    auto outputs = must(run(runs, {{"x", x}}));
    EXPECT_EQ(elements<float>(outputs[0]), std::vector<float>{3});
    EXPECT_EQ(elements<float>(outputs[1]), (std::vector<float>{1, 2}));
    for (Tensor& output : outputs) {
      must(expose(output));
      *reinterpret_cast<float*>(output.data()) = 99;
    }
  }
  EXPECT_EQ(elements<float>(x), std::vector<float>{3});
}

TEST(Run, WritingToAnInputAfterwardsDoesNotChangeTheOutputs) {
  Graph graph = identity_graph(value_info("x", Dtype::float32));
  graph.outputs.push_back(value_info("x", Dtype::float32));
  Tensor x = floats({1}, {3});
  must(expose(x));
  const auto outputs = must(run(*load(graph), {{"x", x}}));
  *reinterpret_cast<float*>(x.data()) = 99;
  EXPECT_EQ(elements<float>(outputs[0]), std::vector<float>{3});
  EXPECT_EQ(elements<float>(outputs[1]), std::vector<float>{3});
}

TEST(Run, AnExpandedOutputIsAViewUntilItIsRead) {
  const auto outputs = must(run(*load(expand_graph()), {{"x", floats({}, {7})}, {"shape", shape_of({1000000, 1000000})}}));
  EXPECT_TRUE(test::all_strides_are_zero(outputs[0]));
}

TEST(Run, AModelOfTenThousandNodesRuns) {
  Graph graph = identity_graph(value_info("x", Dtype::float32));
  graph.nodes.clear();
  std::string name = "x";
  for (int i = 0; i < 10000; ++i) {
    const std::string next = i == 9999 ? "y" : "v" + std::to_string(i);
    graph.nodes.push_back(node("Identity", {name}, {next}));
    name = next;
  }
  EXPECT_EQ(elements<float>(run_one(graph, {{"x", floats({1}, {3})}})), std::vector<float>{3});
}

TEST(Run, TheFileIsNotNeededAfterLoading) {
  auto file = std::make_unique<std::string>(test::model(expand_graph()));
  const auto model = must(read_model(*file));
  ModelRun runs(*model);
  std::fill(file->begin(), file->end(), '\xFF');
  file.reset();
  const auto outputs = must(run(runs, {{"x", floats({}, {7})}, {"shape", shape_of({2})}}));
  EXPECT_EQ(elements<float>(outputs[0]), (std::vector<float>{7, 7}));
  const auto failed = run(runs, {{"x", floats({2}, {1, 2})}, {"shape", shape_of({3})}});
  EXPECT_TRUE(fails(failed, Code::InvalidArgument, "node 'e'"));
}

TEST(Run, AFeedOfAnotherTypeIsRefusedThoughItsDimsRanBefore) {
  const Graph graph{{node("Neg", {"x"}, {"y"})}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::float32)}};
  const auto model = load(graph);
  ModelRun runs(*model);
  const Tensor bytes = test::tensor_of<std::int8_t>(Dtype::int8, {2}, {1, 2});
  for (int i = 0; i < 3; ++i) {
    must(run(runs, {{"x", floats({2}, {1, 2})}}));
    EXPECT_TRUE(fails(run(runs, {{"x", bytes}}), Code::InvalidArgument, "input 'x' is int8, wanted float32"));
  }
}

TEST(Run, ABoolThatTheCallerMadeAnotherByteIsRefusedWithAndWithoutAPlan) {
  // Where nothing but a view is made of it, and where it is computed with.
  const Graph graph{{node("Not", {"x"}, {"y"}), node("Identity", {"x"}, {"z"})},
                    {value_info("x", Dtype::boolean)},
                    {value_info("y", Dtype::boolean), value_info("z", Dtype::boolean)}};
  const auto model = load(graph);
  ModelRun runs(*model);
  Tensor x = test::zeros(Dtype::boolean, {2});
  must(expose(x));
  must(run(runs, {{"x", x}}));
  x.data()[1] = std::byte{7};
  const ModelRun::Feed feed{"x", &x};
  for (const bool optimizes : {false, true}) {
    EXPECT_TRUE(
        fails(runs.run({&feed, 1}, {optimizes}), Code::InvalidArgument, "input 'x': element 1 is 7, which bool cannot hold"));
  }
}

TEST(Run, ASparseInitializerCanBeAShape) {
  const test::Proto sparse = test::Proto()
                                 .message(1, test::int64_tensor({2}, {3, 4}, "s"))
                                 .message(2, test::int64_tensor({2}, {0, 1}))
                                 .varints(3, {2});
  for (const auto& one : {test::node("Expand", {"x", "s"}, {"y"}), test::node("ConstantOfShape", {"s"}, {"y"})}) {
    const test::Graph graph{
        {one}, {test::value_info("x", Dtype::float32)}, {test::value_info("y", Dtype::float32)}, {}, {sparse}};
    EXPECT_EQ(test::list(test::run_one(graph, {{"x", test::floats({1}, {1})}}).dims()), (test::List{3, 4}));
  }
}

}  // namespace
}  // namespace broadloom::test::run_test
