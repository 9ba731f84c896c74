// Functions of a model, which are inlined at their calls.
#include "support/models.h"

namespace broadloom::test::functions_test {
namespace {

struct FunctionSpec {
  std::string name;
  Names inputs;
  Names outputs;
  std::vector<Proto> nodes;
  std::string domain = "local";
  std::string overload = {};
  std::int64_t opset = 25;
  std::vector<Proto> defaults = {};  // attributes with a default

  Proto proto() const {
    Proto function = Proto().string(1, name);
    for (const std::string& input : inputs) function.string(4, input);
    for (const std::string& output : outputs) function.string(5, output);
    for (const Proto& one : nodes) function.message(7, one);
    function.message(9, opset_import(opset));
    function.string(10, domain);
    for (const Proto& one : defaults) function.message(11, one);
    if (!overload.empty()) function.string(13, overload);
    return function;
  }
};

std::string file(const Graph& graph, const std::vector<FunctionSpec>& functions) {
  Proto model =
      Proto().varint(1, 10).message(8, opset_import(25)).message(8, opset_import(1, "local")).message(7, graph.proto());
  for (const FunctionSpec& function : functions) model.message(25, function.proto());
  return model.bytes();
}

Proto call(std::string_view name, const Names& inputs, const Names& outputs, const std::vector<Proto>& attributes = {}) {
  return node(name, inputs, outputs, attributes, "", "local");
}

Proto with_overload(Proto one, std::string_view overload) { return one.string(8, overload); }

Graph graph_of(const std::vector<Proto>& nodes, Dtype input = Dtype::float32) {
  return {nodes, {value_info("x", input)}, {value_info("y", Dtype::undefined)}};
}

Result<Tensor> run(const std::string& bytes, const Tensor& x) {
  BROADLOOM_TRY(model, read_model(bytes));
  BROADLOOM_TRY(outputs, test::run(*model, {{"x", x}}));
  return outputs[0];
}

// A function that returns the shape of the shape of its input.
const FunctionSpec shape_of_shape{"F", {"a"}, {"b"}, {node("Shape", {"a"}, {"s"}), node("Shape", {"s"}, {"b"})}};

TEST(Function, IsInlinedWhereItIsCalled) {
  const std::string bytes = file(graph_of({call("F", {"x"}, {"y"})}), {shape_of_shape});
  EXPECT_EQ(elements<std::int64_t>(must(run(bytes, floats({2, 1, 1}, {1, 2})))), List{3});
  const auto model = must(read_model(bytes));
  ASSERT_EQ(model->graph->nodes.size(), 2U);
  EXPECT_EQ(test::records(model->graph->nodes)[0]->op_type, "Shape");
}

TEST(Function, ItsNamesAreItsOwn) {
  // "s" is also a value of the graph, and the function is called twice.
  const Graph graph = graph_of({node("Shape", {"x"}, {"s"}), call("F", {"s"}, {"b"}), call("F", {"b"}, {"y"})});
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph, {shape_of_shape}), floats({1, 1}, {1})))), List{1});
}

// The names of all outputs of nodes, in order.
Names made_names(const Model& model) {
  Names names;
  for (const Node& one : model.graph->nodes) {
    for (const Value* output : one.outputs) names.emplace_back(output->name);
  }
  return names;
}

TEST(Function, ItsValuesHaveNamesThatNoOtherValueHasInEachCall) {
  const FunctionSpec inner{"G", {"a"}, {"b"}, {node("Shape", {"a"}, {"h"}), node("Shape", {"h"}, {"b"})}};
  const FunctionSpec outer{"F", {"a"}, {"b"}, {call("G", {"a"}, {"h"}), node("Identity", {"h"}, {"b"})}};
  // "h" is a value of the graph, after the calls, and "h_1" is its input.
  Graph graph{{call("F", {"h_1"}, {"p"}), call("F", {"h_1"}, {"q"}), node("Identity", {"h_1"}, {"h"})},
              {value_info("h_1", Dtype::float32)},
              {value_info("h", Dtype::float32), value_info("p", Dtype::int64), value_info("q", Dtype::int64)}};
  const auto model = must(read_model(file(graph, {inner, outer})));
  EXPECT_EQ(made_names(*model), (Names{"h_2", "h_3", "p", "h_4", "h_5", "q", "h"}));
}

TEST(Function, ItsValuesCanBeAskedForByTheirNewNames) {
  // The normalization has no second output, and "s" is also a value of the graph.
  const Graph graph =
      graph_of({node("LayerNormalization", {"x", "x"}, {"n", "", "v"}), node("Shape", {"n"}, {"s"}), call("F", {"s"}, {"y"})});
  const auto model = must(read_model(file(graph, {shape_of_shape})));
  EXPECT_EQ(test::records(model->graph->nodes).back()->inputs[0]->name, "s_1");
  const Tensor x = floats({3}, {1, 2, 4});
  const std::string_view names[] = {"s_1"};
  ModelRun runs(*model);
  for (const bool optimizes : {false, true}) {
    const std::vector<Tensor> found = must(runs.run(std::vector<ModelRun::Feed>{{"x", &x}}, {optimizes, nullptr, names}));
    EXPECT_EQ(elements<std::int64_t>(found[0]), List{1});
  }
  const std::string_view missing[] = {"s_2"};
  EXPECT_TRUE(fails(runs.run(std::vector<ModelRun::Feed>{{"x", &x}}, {true, nullptr, missing}), Code::InvalidArgument,
                    "outputs: no value 's_2'"));
}

TEST(Function, ValuesOfItsSubgraphsHaveUniqueNamesToo) {
  const Graph branch{{node("Shape", {"a"}, {"h"}), node("Shape", {"h"}, {"k"})}, {}, {value_info("k", Dtype::int64)}};
  const FunctionSpec function{
      "F",
      {"a", "c"},
      {"b"},
      {node("If", {"c"}, {"b"}, {test::graph_of("then_branch", branch), test::graph_of("else_branch", branch)})}};
  const Graph graph{{node("Identity", {"x"}, {"h"}), call("F", {"h", "c"}, {"y"})},
                    {value_info("x", Dtype::float32), value_info("c", Dtype::boolean)},
                    {value_info("y", Dtype::int64)}};
  const auto model = must(read_model(file(graph, {function})));
  Names names = made_names(*model);
  for (const Subgraph& subgraph : test::records(model->graph->nodes)[1]->graphs) {
    for (const Node& one : subgraph.graph->nodes) names.emplace_back(one.outputs[0]->name);
  }
  EXPECT_EQ(names, (Names{"h", "y", "h_1", "k", "h_2", "k_1"}));
}

TEST(Function, AnOutputThatSeveralConstantsMakeIsTheLastOne) {
  const auto one = [](std::int64_t value) { return node("Constant", {}, {"c"}, {int_of("value_int", value)}); };
  const FunctionSpec function{"F", {"a"}, {"c", "b"}, {one(1), node("Identity", {"c"}, {"b"}), one(2)}};
  const Graph graph{{call("F", {"x"}, {"p", "q"})},
                    {value_info("x", Dtype::float32)},
                    {value_info("p", Dtype::int64), value_info("q", Dtype::int64)}};
  const auto model = must(read_model(file(graph, {function})));
  const auto outputs = must(test::run(*model, {{"x", floats({}, {0})}}));
  EXPECT_EQ(elements<std::int64_t>(outputs[0]), List{2});
  EXPECT_EQ(elements<std::int64_t>(outputs[1]), List{1});
}

TEST(Function, ANodeOfItCannotProduceAnInputThatTheCallOmits) {
  const FunctionSpec function{"F", {"a", "b"}, {"c"}, {node("Shape", {"a"}, {"b"}), node("Shape", {"b"}, {"c"})}};
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("F", {"x"}, {"y"})}), {function})), Code::InvalidModel,
                          "the name 'b' is used twice"));
}

TEST(Function, CanCallOthersAndReturnAnInput) {
  const FunctionSpec same{"Same", {"a"}, {"a"}, {}};
  const FunctionSpec twice{"Twice", {"a"}, {"c"}, {call("Same", {"a"}, {"b"}), call("F", {"b"}, {"c"})}};
  const Graph graph = graph_of({call("Twice", {"x"}, {"y"})});
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph, {same, twice, shape_of_shape}), floats({1, 1}, {1})))), List{2});
}

TEST(Function, ThatReturnsItsInputCannotProduceThatInput) {
  const FunctionSpec same{"Same", {"a"}, {"a"}, {}};
  const auto fails = [&](const std::vector<Proto>& calls, std::string_view why) {
    return test::fails(read_model(file(graph_of(calls), {same})), Code::InvalidModel, why);
  };
  EXPECT_TRUE(fails({call("Same", {"y"}, {"y"})}, "its output 'y' is its input"));
  EXPECT_TRUE(fails({call("Same", {"z"}, {"y"}), call("Same", {"y"}, {"z"})}, "'#0'"));
}

TEST(Function, InputsAndOutputsMayBeLeftOut) {
  const FunctionSpec two{"Two", {"a", "unused"}, {"b", "c"}, {node("Shape", {"a"}, {"b"}), node("Identity", {"a"}, {"c"})}};
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph_of({call("Two", {"x"}, {"y"})}), {two}), floats({1, 1}, {1})))),
            (List{1, 1}));
  EXPECT_EQ(elements<float>(must(run(file(graph_of({call("Two", {"x", ""}, {"", "y"})}), {two}), floats({1, 1}, {3})))),
            std::vector<float>{3});
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("Two", {"x", "x", "x"}, {"y"})}), {two})), Code::InvalidModel,
                          "its function takes fewer inputs: 'x' is too many"));
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("Two", {"x"}, {"y", "z", "w"})}), {two})), Code::InvalidModel,
                          "its function makes fewer outputs: 'w' is too many"));
}

TEST(Function, CannotReturnAnInputThatTheCallLeavesOut) {
  const FunctionSpec second{"Second", {"a", "b"}, {"a", "b"}, {}};
  const Graph graph = graph_of({call("Second", {"x"}, {"z", "y"})});
  EXPECT_TRUE(
      test::fails(read_model(file(graph, {second})), Code::InvalidModel, "nothing produces the output 'b' of its function"));
}

Proto reference(std::string_view name, AttributeType type, std::string_view of) {
  return test::attribute(name, type).string(21, of);
}

TEST(Function, AttributesComeFromTheCallOrTheDefaultsOrAreAbsent) {
  FunctionSpec slice{"Slice", {"a"}, {"b"}, {node("Shape", {"a"}, {"b"}, {reference("start", AttributeType::INT, "from")})}};
  const Tensor x = floats({1, 2, 1}, {1, 2});
  const auto with = [&](const std::vector<Proto>& attributes) {
    return elements<std::int64_t>(must(run(file(graph_of({call("Slice", {"x"}, {"y"}, attributes)}), {slice}), x)));
  };
  EXPECT_EQ(with({int_of("from", 1)}), (List{2, 1}));
  EXPECT_EQ(with({}), (List{1, 2, 1}));
  slice.defaults = {int_of("from", 2)};
  EXPECT_EQ(with({}), List{1});
  EXPECT_EQ(with({int_of("from", 1)}), (List{2, 1}));
  EXPECT_TRUE(test::fails(
      read_model(file(graph_of({call("Slice", {"x"}, {"y"}, {test::attribute("from", AttributeType::FLOAT)})}), {slice})),
      Code::InvalidModel, "attribute 'start' is INT, but 'from' of the call is FLOAT"));
}

TEST(Function, AttributesPassThroughSeveralCalls) {
  const FunctionSpec inner{"Inner", {"a"}, {"b"}, {node("Shape", {"a"}, {"b"}, {reference("start", AttributeType::INT, "k")})}};
  const FunctionSpec outer{"Outer", {"a"}, {"b"}, {call("Inner", {"a"}, {"b"}, {reference("k", AttributeType::INT, "j")})}};
  const Graph graph = graph_of({call("Outer", {"x"}, {"y"}, {int_of("j", 2)})});
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph, {inner, outer}), floats({1, 2, 1}, {1, 2})))), List{1});
}

TEST(Function, AReferenceToAnAttributeThatTheCallLacksLeavesTheDefaultOfTheFunctionWithin) {
  FunctionSpec inner{"Inner", {"a"}, {"b"}, {node("Shape", {"a"}, {"b"}, {reference("start", AttributeType::INT, "k")})}};
  inner.defaults = {int_of("k", 2)};
  const FunctionSpec outer{"Outer", {"a"}, {"b"}, {call("Inner", {"a"}, {"b"}, {reference("k", AttributeType::INT, "j")})}};
  const auto with = [&](const std::vector<Proto>& attributes) {
    const Graph graph = graph_of({call("Outer", {"x"}, {"y"}, attributes)});
    return elements<std::int64_t>(must(run(file(graph, {inner, outer}), floats({1, 2, 1}, {1, 2}))));
  };
  EXPECT_EQ(with({}), List{1});
  EXPECT_EQ(with({int_of("j", 1)}), (List{2, 1}));
}

TEST(Function, AReferenceOutsideAFunctionIsRefused) {
  const Graph graph = graph_of({node("Shape", {"x"}, {"y"}, {reference("start", AttributeType::INT, "k")})});
  EXPECT_TRUE(test::fails(read_model(file(graph, {})), Code::InvalidModel, "ref_attr_name outside a function"));
}

TEST(Function, OverloadsAreSeparateFunctionsAndNeverTheOperator) {
  FunctionSpec second = shape_of_shape;
  second.overload = "v2";
  second.nodes = {node("Identity", {"a"}, {"b"})};
  const std::string bytes = file(graph_of({with_overload(call("F", {"x"}, {"y"}), "v2")}), {shape_of_shape, second});
  EXPECT_EQ(elements<float>(must(run(bytes, floats({1}, {5})))), std::vector<float>{5});
  EXPECT_TRUE(test::fails(read_model(file(graph_of({with_overload(node("Identity", {"x"}, {"y"}), "v2")}), {})),
                          Code::UnknownOperator, "no function 'Identity' with overload 'v2'"));
}

TEST(Function, TakesPrecedenceOverTheOperatorOfItsName) {
  FunctionSpec own = shape_of_shape;
  own.name = "Identity";
  own.domain = "";
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph_of({node("Identity", {"x"}, {"y"})}), {own}), floats({1, 1}, {1})))),
            List{2});
}

TEST(Function, ItsOwnImportsChooseItsVersions) {
  FunctionSpec old{"Old", {"a"}, {"b"}, {node("Shape", {"a"}, {"b"}, {int_of("start", 1)})}, "local", "", 14};
  EXPECT_TRUE(
      test::fails(read_model(file(graph_of({call("Old", {"x"}, {"y"})}), {old})), Code::InvalidModel, "it came with Shape-15"));
  old.opset = 15;
  EXPECT_EQ(elements<std::int64_t>(must(run(file(graph_of({call("Old", {"x"}, {"y"})}), {old}), floats({1, 1}, {1})))),
            List{1});
}

TEST(Function, ThatCallsItselfIsRefused) {
  const FunctionSpec one{"One", {"a"}, {"b"}, {call("Other", {"a"}, {"b"})}};
  const FunctionSpec other{"Other", {"a"}, {"b"}, {call("One", {"a"}, {"b"})}};
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("One", {"x"}, {"y"})}), {one, other})), Code::InvalidModel,
                          "function 'One' calls itself"));
}

TEST(Function, TwoOfOneNameAreRefused) {
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("F", {"x"}, {"y"})}), {shape_of_shape, shape_of_shape})),
                          Code::InvalidModel, "the function 'F' is defined twice"));
}

TEST(Function, CallsThatDoubleAtEveryLevelEndWithAnError) {
  std::vector<FunctionSpec> functions{{"F0", {"a"}, {"b"}, {node("Identity", {"a"}, {"b"})}}};
  for (int i = 1; i < 28; ++i) {
    const std::string before = "F" + std::to_string(i - 1);
    functions.push_back({"F" + std::to_string(i), {"a"}, {"b"}, {call(before, {"a"}, {"m"}), call(before, {"m"}, {"b"})}});
  }
  EXPECT_TRUE(test::fails(read_model(file(graph_of({call("F27", {"x"}, {"y"})}), functions)), Code::InvalidModel,
                          "calls of functions make too many nodes"));
}

TEST(Function, AnErrorInItNamesThePlaceOfTheCall) {
  const FunctionSpec bad{"Bad", {"a"}, {"b"}, {node("Shape", {}, {"b"}, {}, "inner")}};
  const auto model = read_model(file(graph_of({node("Shape", {"x"}, {"s"}), call("Bad", {"s"}, {"y"})}), {bad}));
  ASSERT_TRUE(test::fails(model, Code::InvalidModel, "graph.node[1].Bad.node[0], 'inner': Shape-25: takes 1 input, got 0"));
  EXPECT_EQ(model.error()->node.view(), "inner");
}

TEST(Function, AGraphWithinSeesItsValues) {
  const Graph branch{{node("Identity", {"a"}, {"t"})}, {}, {value_info("t", Dtype::undefined)}};
  const FunctionSpec chooser{
      "Choose",
      {"c", "a"},
      {"b"},
      {node("If", {"c"}, {"b"}, {test::graph_of("then_branch", branch), test::graph_of("else_branch", branch)})}};
  const Graph graph{{call("Choose", {"c", "x"}, {"y"})},
                    {value_info("x", Dtype::float32), value_info("c", Dtype::boolean)},
                    {value_info("y", Dtype::undefined)}};
  const auto model = must(read_model(file(graph, {chooser})));
  const Tensor yes = test::tensor_of<std::uint8_t>(Dtype::boolean, {}, {1});
  EXPECT_EQ(elements<float>(must(test::run(*model, {{"x", floats({1}, {4})}, {"c", yes}}))[0]), std::vector<float>{4});
}

TEST(Function, CallsReadAtMostTheLimitForTheSizeOfTheFile) {
  FunctionSpec large = shape_of_shape;
  large.defaults = {test::attribute("text", AttributeType::STRING).string(4, std::string(100000, 'a'))};
  std::vector<Proto> calls;
  for (int i = 0; i < 200; ++i) calls.push_back(call("F", {"x"}, {"y" + std::to_string(i)}));
  Graph graph = graph_of(calls);
  graph.outputs = {value_info("y0", Dtype::int64)};
  EXPECT_TRUE(test::fails(read_model(file(graph, {large})), Code::InvalidModel, "calls of functions read too many bytes"));
}

TEST(Function, OneNamedConstantMayNotMakeANameTwice) {
  FunctionSpec same{"Constant", {"a"}, {"b"}, {node("Identity", {"a"}, {"b"})}};
  const Graph graph = graph_of({call("Constant", {"x"}, {"y"}), call("Constant", {"x"}, {"y"})});
  EXPECT_TRUE(test::fails(read_model(file(graph, {same})), Code::InvalidModel, "the name 'y' is used twice"));
}

}  // namespace
}  // namespace broadloom::test::functions_test
