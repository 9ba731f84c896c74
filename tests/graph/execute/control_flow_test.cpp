// If, Loop and Scan: results and refusals.
#include "graph/structure/control_flow.h"

#include <bit>

#include "support/models.h"

namespace broadloom::test::control_flow_test {
namespace {

Proto constant(std::string_view output, std::int64_t value) {
  return node("Constant", {}, {std::string(output)}, {int_of("value_int", value)});
}

Tensor boolean(bool value) {
  return test::tensor_of<std::uint8_t>(Dtype::boolean, {}, {value ? std::uint8_t{1} : std::uint8_t{0}});
}

Graph branch(const std::vector<Proto>& nodes, std::string_view output) {
  return {nodes, {}, {value_info(output, Dtype::undefined)}};
}

// cond -> y: 1 or 2, each in its branch
Graph if_graph(const Graph& then_branch, const Graph& else_branch) {
  return {{node("If", {"cond"}, {"y"}, {graph_of("then_branch", then_branch), graph_of("else_branch", else_branch)}, "if")},
          {value_info("cond", Dtype::boolean)},
          {value_info("y", Dtype::undefined)}};
}

TEST(If, TakesTheBranchOfItsCondition) {
  const Graph graph = if_graph(branch({constant("a", 1)}, "a"), branch({constant("b", 2)}, "b"));
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(true)}})), List{1});
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(false)}})), List{2});
}

TEST(If, BranchesSeeTheValuesAround) {
  Graph graph = if_graph(branch({node("Identity", {"x"}, {"a"})}, "a"), branch({node("Shape", {"z"}, {"b"})}, "b"));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  graph.nodes.insert(graph.nodes.begin(), node("Identity", {"x"}, {"z"}));
  const Tensor x = int64s({2}, {7, 8});
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(true)}, {"x", x}})), (List{7, 8}));
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(false)}, {"x", x}})), List{2});
}

TEST(If, ABranchCanGiveAValueFromAround) {
  Graph graph = if_graph(branch({}, "x"), branch({constant("b", 2)}, "b"));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(true)}, {"x", int64s({}, {9})}})), List{9});
  graph.nodes.push_back(node("Shape", {"x"}, {"later"}));
  graph.outputs.push_back(value_info("later", Dtype::int64));
  const auto outputs = must(test::run(*load(graph), {{"cond", boolean(true)}, {"x", int64s({1}, {9})}}));
  EXPECT_EQ(elements<std::int64_t>(outputs[1]), List{1});
}

TEST(If, NestsAndCapturesThroughSeveralGraphs) {
  const Graph inner =
      if_graph(branch({node("Identity", {"x"}, {"deep"})}, "deep"), branch({node("Identity", {"m"}, {"d"})}, "d"));
  Graph middle{inner.nodes, {}, {value_info("y", Dtype::undefined)}};
  middle.nodes.insert(middle.nodes.begin(), node("Shape", {"x"}, {"m"}));
  middle.nodes[1] = node("If", {"second"}, {"inner"},
                         {graph_of("then_branch", branch({node("Identity", {"x"}, {"deep"})}, "deep")),
                          graph_of("else_branch", branch({node("Identity", {"m"}, {"d"})}, "d"))});
  middle.outputs = {value_info("inner", Dtype::undefined)};
  Graph graph = if_graph(middle, branch({constant("b", 2)}, "b"));
  graph.inputs.push_back(value_info("second", Dtype::boolean));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  const Tensor x = int64s({3}, {4, 5, 6});
  const auto with = [&](bool first, bool second) {
    return elements<std::int64_t>(run_one(graph, {{"cond", boolean(first)}, {"second", boolean(second)}, {"x", x}}));
  };
  EXPECT_EQ(with(true, true), (List{4, 5, 6}));
  EXPECT_EQ(with(true, false), List{3});
  EXPECT_EQ(with(false, false), List{2});
}

TEST(If, ANameOfABranchHidesTheOuterOne) {
  Graph graph = if_graph(branch({constant("x", 1)}, "x"), branch({node("Identity", {"x"}, {"b"})}, "b"));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  graph.outputs = {value_info("y", Dtype::int64)};
  const auto model = load(graph);
  ModelRun runs(*model);
  ASSERT_EQ(model->warnings.size(), 1U);
  EXPECT_EQ(test::records(model->warnings)[0]->text,
            "a node in then_branch makes 'x', which hides the one of a graph around it");
  const Tensor x = int64s({}, {9});
  EXPECT_EQ(elements<std::int64_t>(must(test::run(runs, {{"cond", boolean(true)}, {"x", x}}))[0]), List{1});
  EXPECT_EQ(elements<std::int64_t>(must(test::run(runs, {{"cond", boolean(false)}, {"x", x}}))[0]), List{9});
}

TEST(If, BranchesRunAfterTheValuesThatTheyRead) {
  Graph graph = if_graph(branch({node("Identity", {"late"}, {"a"})}, "a"), branch({constant("b", 2)}, "b"));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  graph.nodes.push_back(node("Shape", {"x"}, {"late"}));
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"cond", boolean(true)}, {"x", shape_of({3, 4})}})), List{2});
}

TEST(If, InvalidBranchesAreRefused) {
  const Graph one = branch({constant("a", 1)}, "a");
  Graph with_input = one;
  with_input.inputs = {value_info("i", Dtype::int64)};
  EXPECT_TRUE(refuses(if_graph(with_input, one), Code::InvalidModel, "If-25: then_branch has inputs; a branch takes none"));
  Graph two = one;
  two.outputs.push_back(value_info("a", Dtype::int64));
  EXPECT_TRUE(refuses(if_graph(one, two), Code::InvalidModel, "else_branch has 2 outputs, but the node 1"));
  const Graph text = branch({node("Shape", {"cond"}, {"s"}), node("ConstantOfShape", {"s"}, {"z"})}, "z");
  EXPECT_TRUE(refuses(if_graph(one, text), Code::InvalidModel, "output 0 is int64 in then_branch, but float32 in else_branch"));
  Graph graph = if_graph(one, one);
  graph.nodes = {node("If", {"cond"}, {"y"}, {graph_of("then_branch", one)})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "attribute 'else_branch' is missing"));
  graph = if_graph(one, one);
  graph.inputs = {value_info("cond", Dtype::float32)};
  EXPECT_TRUE(refuses(graph, Code::UnsupportedType, "input 'cond' cannot be float32"));
}

TEST(If, OneWhoseBranchHasANodeThatCannotRunCannotRunEither) {
  const Graph runs = branch({constant("y", 1)}, "y");
  const Graph fails = branch({node("Weave", {}, {"y"})}, "y");
  const Graph deep = branch(if_graph(runs, fails).nodes, "y");
  const auto unsupported = [](const Graph& graph) {
    const auto model = must(read_model(test::model(graph, 25), {Unsupported::allowed}));
    const Subgraph* subgraph = unsupported_graph(*test::records(model->graph->nodes)[0]);
    return subgraph == nullptr ? "" : std::string(subgraph->attribute);
  };
  EXPECT_EQ(unsupported(if_graph(runs, runs)), "");
  EXPECT_EQ(unsupported(if_graph(runs, fails)), "else_branch");
  EXPECT_EQ(unsupported(if_graph(deep, runs)), "then_branch");
}

TEST(If, AConditionHasOneElement) {
  const Graph one = branch({constant("a", 1)}, "a");
  const Tensor two = test::tensor_of<std::uint8_t>(Dtype::boolean, {2}, {1, 1});
  EXPECT_TRUE(test::fails(test::run(*load(if_graph(one, one)), {{"cond", two}}), Code::InvalidArgument,
                          "node 'if': If-25: 'cond' has dims [2]"));
}

TEST(If, AnErrorNamesTheNodeInTheBranch) {
  Graph graph = if_graph(branch({node("Expand", {"x", "x"}, {"a"}, {}, "inner")}, "a"), branch({constant("b", 2)}, "b"));
  graph.inputs.push_back(value_info("x", Dtype::int64));
  const auto model = load(graph);
  const auto outputs = test::run(*model, {{"cond", boolean(true)}, {"x", int64s({2}, {3, 3})}});
  ASSERT_TRUE(test::fails(outputs, Code::InvalidArgument, "node 'inner': Expand-13: cannot broadcast"));
  EXPECT_EQ(outputs.error()->node.view(), "inner");
  graph.nodes[0] = node("If", {"cond"}, {"y"},
                        {graph_of("then_branch", branch({node("Shape", {}, {"a"}, {}, "inner")}, "a")),
                         graph_of("else_branch", branch({constant("b", 2)}, "b"))});
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "graph.node[0].then_branch.node[0], 'inner': Shape-25: takes 1 input, got 0"));
}

TEST(If, GraphsLieAtMostThirtyTwoDeep) {
  Graph graph = branch({constant("y", 1)}, "y");
  const auto around = [](const Graph& inner) {
    return branch({node("If", {"cond"}, {"y"}, {graph_of("then_branch", inner), graph_of("else_branch", inner)})}, "y");
  };
  const auto whole = [](Graph one) {
    one.inputs = {value_info("cond", Dtype::boolean)};
    return one;
  };
  for (int depth = 0; depth < 8; ++depth) graph = around(graph);
  EXPECT_EQ(elements<std::int64_t>(run_one(whole(graph), {{"cond", boolean(true)}})), List{1});
  Proto deep = graph.proto();
  const Graph shallow = branch({constant("y", 1)}, "y");
  Graph chain = shallow;
  for (int depth = 0; depth < 40; ++depth) {
    chain = branch({node("If", {"cond"}, {"y"}, {graph_of("then_branch", chain), graph_of("else_branch", shallow)})}, "y");
  }
  EXPECT_TRUE(refuses(whole(chain), Code::LimitExceeded, "more than 32 graphs and functions in one another (limits.nesting)"));
}

// ---- Loop ----

Proto loop_node(const Graph& body, const test::Names& inputs, const test::Names& outputs) {
  return node("Loop", inputs, outputs, {graph_of("body", body)}, "loop");
}

// Each iteration adds an axis to the state, and outputs the state's dims and the iteration number.
Graph growing_body() {
  return {{node("Expand", {"state", "more"}, {"next"}), node("Shape", {"state"}, {"rank"}), node("Shape", {"rank"}, {"dims"}),
           node("Identity", {"i"}, {"number"}), node("Identity", {"go"}, {"on"})},
          {value_info("i", Dtype::int64, {}), value_info("go", Dtype::boolean, {}), value_info("state", Dtype::undefined)},
          {value_info("on", Dtype::undefined), value_info("next", Dtype::undefined), value_info("number", Dtype::undefined, {}),
           value_info("dims", Dtype::undefined, {1})}};
}

Graph growing_loop() {
  return {{loop_node(growing_body(), {"trips", "", "x"}, {"y", "numbers", "dims"})},
          {value_info("trips", Dtype::int64), value_info("x", Dtype::float32), value_info("more", Dtype::int64)},
          {value_info("y", Dtype::undefined), value_info("numbers", Dtype::undefined), value_info("dims", Dtype::undefined)}};
}

TEST(Loop, CarriesStatesAndStacksScanOutputs) {
  const auto model = load(growing_loop());
  const auto outputs =
      must(test::run(*model, {{"trips", int64s({}, {3})}, {"x", floats({1}, {7})}, {"more", shape_of({2, 1})}}));
  EXPECT_EQ(test::list(outputs[0].dims()), (List{2, 1}));
  EXPECT_EQ(elements<std::int64_t>(outputs[1]), (List{0, 1, 2}));
  EXPECT_EQ(test::list(outputs[1].dims()), List{3});
  EXPECT_EQ(test::list(outputs[2].dims()), (List{3, 1}));
  EXPECT_EQ(elements<std::int64_t>(outputs[2]), (List{1, 2, 2}));
}

TEST(Loop, WithoutIterationsReturnsTheInitialStatesAndEmptyScanOutputs) {
  for (const std::int64_t trips : {std::int64_t{0}, std::int64_t{-4}}) {
    const auto outputs = must(
        test::run(*load(growing_loop()), {{"trips", int64s({1}, {trips})}, {"x", floats({1}, {7})}, {"more", shape_of({2})}}));
    EXPECT_EQ(elements<float>(outputs[0]), std::vector<float>{7});
    EXPECT_EQ(test::list(outputs[1].dims()), List{0});
    EXPECT_EQ(test::list(outputs[2].dims()), (List{0, 1}));
    EXPECT_EQ(outputs[2].dtype, Dtype::int64);
  }
}

TEST(Loop, EndsWhenItsConditionIsFalse) {
  // "stop" is the condition of the second iteration.
  const Graph body{{node("Identity", {"stop"}, {"on"}), node("Identity", {"i"}, {"n"})},
                   {value_info("i", Dtype::int64), value_info("go", Dtype::boolean)},
                   {value_info("on", Dtype::undefined), value_info("n", Dtype::undefined)}};
  const Graph graph{{loop_node(body, {"", "start"}, {"numbers"})},
                    {value_info("start", Dtype::boolean), value_info("stop", Dtype::boolean)},
                    {value_info("numbers", Dtype::undefined)}};
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"start", boolean(true)}, {"stop", boolean(false)}})), List{0});
  EXPECT_EQ(elements<std::int64_t>(run_one(graph, {{"start", boolean(false)}, {"stop", boolean(true)}})), List{});
}

TEST(Loop, AnIfWithinSeesTheIterationAndTheGraphAround) {
  const Graph choice =
      if_graph(branch({node("Identity", {"i"}, {"a"})}, "a"), branch({node("Identity", {"outer"}, {"b"})}, "b"));
  Graph body{choice.nodes,
             {value_info("i", Dtype::int64), value_info("go", Dtype::boolean), value_info("flag", Dtype::boolean)},
             {value_info("on", Dtype::undefined), value_info("flag2", Dtype::undefined), value_info("y", Dtype::undefined)}};
  body.nodes[0] = node("If", {"flag"}, {"y"},
                       {graph_of("then_branch", branch({node("Identity", {"i"}, {"a"})}, "a")),
                        graph_of("else_branch", branch({node("Identity", {"outer"}, {"b"})}, "b"))});
  body.nodes.push_back(node("Identity", {"go"}, {"on"}));
  body.nodes.push_back(node("Identity", {"no"}, {"flag2"}));
  const Graph graph{{loop_node(body, {"trips", "", "yes"}, {"last", "all"})},
                    {value_info("trips", Dtype::int64), value_info("yes", Dtype::boolean), value_info("no", Dtype::boolean),
                     value_info("outer", Dtype::int64)},
                    {value_info("all", Dtype::undefined)}};
  EXPECT_EQ(
      elements<std::int64_t>(run_one(
          graph, {{"trips", int64s({}, {3})}, {"yes", boolean(true)}, {"no", boolean(false)}, {"outer", int64s({}, {9})}})),
      (List{0, 9, 9}));
}

TEST(Loop, IterationsMustMakeTheSameDims) {
  Graph body = growing_body();
  body.outputs[3] = value_info("rank", Dtype::undefined);
  Graph graph = growing_loop();
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y", "numbers", "dims"})};
  EXPECT_TRUE(
      test::fails(test::run(*load(graph), {{"trips", int64s({}, {2})}, {"x", floats({1}, {7})}, {"more", shape_of({2, 1})}}),
                  Code::InvalidArgument, "its body made 'rank' with dims [1], and in another iteration with [2]"));
}

TEST(Loop, InvalidBodiesAreRefused) {
  Graph graph = growing_loop();
  Graph body = growing_body();
  body.inputs.pop_back();
  body.nodes[0] = node("Expand", {"x", "more"}, {"next"});
  body.nodes[1] = node("Shape", {"x"}, {"rank"});
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y", "numbers", "dims"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "Loop-25: the body has 2 inputs, wanted 3"));
  body = growing_body();
  body.outputs.resize(1);
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y"})};
  graph.outputs.resize(1);
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the body has 1 outputs, wanted 2 or more"));
  body = growing_body();
  graph = growing_loop();
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y", "numbers", "dims", "more"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'more' is used twice"));
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y", "numbers", "dims", "fourth"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the node has 4 outputs, but its body makes 3"));
  body.outputs[1] = value_info("rank", Dtype::undefined);
  graph.nodes = {loop_node(body, {"trips", "", "x"}, {"y", "numbers", "dims"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "state 0 is float32, but the body makes it int64"));
}

TEST(Loop, AStateThatIsLeftOutIsNamed) {
  Graph graph = growing_loop();
  graph.nodes = {loop_node(growing_body(), {"trips", "", ""}, {"y", "numbers", "dims"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel,
                      "graph.node[0], 'loop': Loop-25: state 0 is missing, which its body reads as 'state'"));
}

// ---- Scan ----

// Each iteration reads a row, and outputs it and its shape.
Graph scan_body() {
  return {{node("Identity", {"row"}, {"state"}), node("Identity", {"row"}, {"out"})},
          {value_info("last", Dtype::float32), value_info("row", Dtype::float32)},
          {value_info("state", Dtype::undefined), value_info("out", Dtype::undefined)}};
}

Tensor run_scan(const std::vector<Proto>& attributes, const Tensor& x, std::size_t output) {
  std::vector<Proto> all{graph_of("body", scan_body()), int_of("num_scan_inputs", 1)};
  all.insert(all.end(), attributes.begin(), attributes.end());
  const Graph graph{{node("Scan", {"start", "x"}, {"state", "y"}, all)},
                    {value_info("start", Dtype::float32), value_info("x", Dtype::float32)},
                    {value_info("state", Dtype::undefined), value_info("y", Dtype::undefined)}};
  return must(test::run(*load(graph), {{"start", floats({}, {0})}, {"x", x}}))[output];
}

TEST(Scan, WalksTheFirstAxis) {
  const Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(elements<float>(run_scan({}, x, 0)), (std::vector<float>{5, 6}));
  EXPECT_EQ(elements<float>(run_scan({}, x, 1)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Scan, WalksOtherAxesAndBackwards) {
  const Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor columns = run_scan({ints_of("scan_input_axes", {1})}, x, 1);
  EXPECT_EQ(test::list(columns.dims()), (List{2, 3}));
  EXPECT_EQ(elements<float>(columns), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(elements<float>(run_scan({ints_of("scan_input_axes", {-1}), ints_of("scan_output_axes", {-1})}, x, 1)),
            (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(elements<float>(run_scan({ints_of("scan_input_directions", {1})}, x, 1)), (std::vector<float>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(elements<float>(run_scan({ints_of("scan_output_directions", {1})}, x, 1)), (std::vector<float>{5, 6, 3, 4, 1, 2}));
  EXPECT_EQ(elements<float>(run_scan({ints_of("scan_output_axes", {1}), ints_of("scan_output_directions", {1})}, x, 1)),
            (std::vector<float>{5, 3, 1, 6, 4, 2}));
  EXPECT_EQ(elements<float>(run_scan({ints_of("scan_input_directions", {1})}, x, 0)), (std::vector<float>{1, 2}));
}

TEST(Scan, VersionEightHasBatchesOfDifferentLengths) {
  const Graph graph{
      {node("Scan", {"lengths", "start", "x"}, {"state", "y"}, {graph_of("body", scan_body()), int_of("num_scan_inputs", 1)})},
      {value_info("lengths", Dtype::int64), value_info("start", Dtype::float32), value_info("x", Dtype::float32)},
      {value_info("state", Dtype::undefined), value_info("y", Dtype::undefined)}};
  const auto model = load(graph, 8);
  const auto outputs = must(test::run(
      *model,
      {{"lengths", shape_of({1, 3})}, {"start", floats({2, 1}, {0, 0})}, {"x", floats({2, 3, 1}, {1, 2, 3, 4, 5, 6})}}));
  EXPECT_EQ(test::list(outputs[0].dims()), (List{2, 1}));
  EXPECT_EQ(elements<float>(outputs[0]), (std::vector<float>{1, 6}));
  EXPECT_EQ(test::list(outputs[1].dims()), (List{2, 3, 1}));
  EXPECT_EQ(elements<float>(outputs[1]), (std::vector<float>{1, 0, 0, 4, 5, 6}));
}

TEST(Scan, AStateOrAnInputThatIsLeftOutIsNamed) {
  const Graph left_out{{node("Scan", {"", "x"}, {"state", "y"}, {graph_of("body", scan_body()), int_of("num_scan_inputs", 1)})},
                       {value_info("x", Dtype::float32)},
                       {value_info("state", Dtype::undefined), value_info("y", Dtype::undefined)}};
  EXPECT_TRUE(refuses(left_out, Code::InvalidModel,
                      "graph.node[0], '#0': Scan-25: state 0 is missing, which its body reads as 'last'"));
  const Graph no_input{{node("Scan", {"x", ""}, {"state", "y"}, {graph_of("body", scan_body()), int_of("num_scan_inputs", 1)})},
                       {value_info("x", Dtype::float32)},
                       {value_info("state", Dtype::undefined), value_info("y", Dtype::undefined)}};
  EXPECT_TRUE(refuses(no_input, Code::InvalidModel, "scan input 0 is missing, which its body reads as 'row'"));
}

TEST(Scan, InvalidNodesAreRefused) {
  const Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto fails_with = [&](const std::vector<Proto>& attributes, std::int64_t scanned, std::string_view says) {
    std::vector<Proto> all{graph_of("body", scan_body()), int_of("num_scan_inputs", scanned)};
    all.insert(all.end(), attributes.begin(), attributes.end());
    const Graph graph{{node("Scan", {"start", "x"}, {"state", "y"}, all)},
                      {value_info("start", Dtype::float32), value_info("x", Dtype::float32)},
                      {value_info("state", Dtype::undefined), value_info("y", Dtype::undefined)}};
    const auto model = read_model(test::model(graph));
    if (!model) return test::fails(model, Code::InvalidModel, says);
    return test::fails(test::run(**model, {{"start", floats({}, {0})}, {"x", x}}), Code::InvalidArgument, says);
  };
  EXPECT_TRUE(fails_with({}, 0, "num_scan_inputs is 0, wanted 1 to 2"));
  EXPECT_TRUE(fails_with({}, 3, "num_scan_inputs is 3, wanted 1 to 2"));
  EXPECT_TRUE(
      fails_with({ints_of("scan_input_axes", {2})}, 1, "'scan_input_axes': entry 0 is 2, which is not an axis of 2 axes"));
  EXPECT_TRUE(fails_with({ints_of("scan_input_axes", {0, 0})}, 1, "'scan_input_axes' has 2 entries, wanted 1"));
  EXPECT_TRUE(fails_with({ints_of("scan_output_directions", {2})}, 1, "entry 0 is 2, wanted 0 or 1"));
}

// ---- Rows ----

// ONNX: onnx/defs/controlflow. The numbers of element types that each version's V allows.
TEST(ControlFlow, VersionsAreThoseOfTheSchemas) {
  const auto facts = [](const Operator& op, TypeVariable variable) {
    std::vector<std::pair<std::int64_t, int>> result;
    for (const OperatorVersion& version : op.versions) {
      for (std::size_t i = 0; i < version.types.size(); ++i) {
        if (version.signature->variables[i] != variable) continue;
        result.emplace_back(version.since_version, std::popcount(version.types[i].bits()));
      }
    }
    return result;
  };
  using Facts = std::vector<std::pair<std::int64_t, int>>;
  const Facts branches{{1, 15}, {11, 15}, {13, 15}, {16, 16}, {19, 20}, {21, 22}, {23, 23}, {24, 24}, {25, 26}};
  EXPECT_EQ(facts(if_operator, TypeVariable::V), branches);
  EXPECT_EQ(facts(loop, TypeVariable::V), branches);
  EXPECT_EQ(facts(scan, TypeVariable::V),
            (Facts{{8, 15}, {9, 15}, {11, 15}, {16, 16}, {19, 20}, {21, 22}, {23, 23}, {24, 24}, {25, 26}}));
}

// x: bfloat16, which If does not support in this opset
Graph unsupported_if(Graph then_branch) {
  Graph graph =
      branch({node("If", {"c"}, {"y"}, {graph_of("then_branch", then_branch), graph_of("else_branch", branch({}, "x"))})}, "y");
  graph.inputs = {value_info("c", Dtype::boolean), value_info("x", Dtype::bfloat16)};
  return graph;
}

TEST(ControlFlow, GraphsOfANodeThatTurnsOutNotToRunAreCheckedOnce) {
  const Graph graph = unsupported_if(branch({constant("k", 1)}, "x"));
  const auto model = must(read_model(test::model(graph, 12), {Unsupported::allowed}));
  EXPECT_FALSE(test::records(model->graph->nodes)[0]->runs());
  Graph nested = branch({}, "x");
  for (int depth = 0; depth < 30; ++depth) {
    nested = branch({node("If", {"c"}, {"o"}, {graph_of("then_branch", nested), graph_of("else_branch", branch({}, "x"))}),
                     constant("k", 1)},
                    "x");
  }
  EXPECT_TRUE(read_model(test::model(unsupported_if(nested), 12), {Unsupported::allowed}));
}

TEST(Loop, ScanOutputsOfStringsAreRefusedIfTheirDimsAreTooLarge) {
  const Graph body{{node("Expand", {"text", "d"}, {"e"}), node("Identity", {"c"}, {"c2"})},
                   {value_info("i", Dtype::int64), value_info("c", Dtype::boolean)},
                   {value_info("c2", Dtype::boolean), value_info("e", Dtype::string)}};
  const Graph graph{
      {node("Loop", {"m", ""}, {"y"}, {graph_of("body", body)})},
      {value_info("m", Dtype::int64)},
      {value_info("y", Dtype::string)},
      {int64_tensor({2}, {0, std::int64_t{1} << 52}, "d"), test::tensor_header(Dtype::string, {1, 1}, "text").string(6, "a")}};
  EXPECT_TRUE(test::fails(test::run(*load(graph), {{"m", int64s({}, {5000})}}), Code::InvalidArgument, "too many elements"));
}

}  // namespace
}  // namespace broadloom::test::control_flow_test
