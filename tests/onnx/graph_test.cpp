// The rules that a graph must follow to be loaded.
#include "support/models.h"

namespace broadloom::test::graph_test {
namespace {

// x -> Shape -> y
Graph shape_graph() {
  return {{node("Shape", {"x"}, {"y"}, {}, "s")}, {value_info("x", Dtype::float32)}, {value_info("y", Dtype::int64)}};
}

Graph with_node(const Proto& one) {
  Graph graph = shape_graph();
  graph.nodes = {one};
  return graph;
}

testing::AssertionResult refuses_file(const std::string& file, std::string_view part) {
  return test::fails(read_model(file), Code::InvalidModel, part);
}

TEST(Model, KnowsItsInputsAndOutputs) {
  const Graph graph{{node("Identity", {"a"}, {"c"}), node("Shape", {"b"}, {"d"})},
                    {value_info("a", Dtype::int4, {2, "N", ""}), value_info("b", Dtype::string)},
                    {value_info("d", Dtype::int64, {}), value_info("c", Dtype::undefined)}};
  const test::ModelPtr model = load(graph);
  EXPECT_EQ(names_of(model->graph->inputs), (Names{"a", "b"}));
  EXPECT_EQ(names_of(model->graph->outputs), (Names{"d", "c"}));
  const ValueInfo& a = records(model->graph->inputs)[0]->info;
  EXPECT_EQ(a.dtype, Dtype::int4);
  EXPECT_TRUE(a.has_shape);
  ASSERT_EQ(a.dims.size(), 3U);
  const std::vector<const Dimension*> dims = records(a.dims);
  EXPECT_EQ(dims[0]->value, 2);
  EXPECT_EQ(dims[1]->value, -1);
  EXPECT_EQ(dims[1]->name, "N");
  EXPECT_EQ(dims[2]->value, -1);
  EXPECT_EQ(dims[2]->name, "");
  EXPECT_FALSE(records(model->graph->inputs)[1]->info.has_shape);
  const ValueInfo& d = records(model->graph->outputs)[0]->info;
  EXPECT_TRUE(d.has_shape);
  EXPECT_EQ(d.dims.size(), 0U);
}

TEST(Model, AnOutputWithoutATypeHasTheTypeThatIsProduced) {
  Graph graph = shape_graph();
  graph.outputs = {value_info("y", Dtype::undefined)};
  EXPECT_EQ(records(load(graph)->graph->outputs)[0]->info.dtype, Dtype::int64);
}

TEST(Model, IrVersionsFromOneOnAreRead) {
  for (const std::int64_t version : {1, 2, 3, 4, 7, 10, 11, 13, 99}) {
    EXPECT_TRUE(test::succeeds(read_model(test::model(shape_graph(), 25, version)))) << version;
  }
  for (const std::int64_t version : {0, -1}) {
    EXPECT_TRUE(refuses_file(test::model(shape_graph(), 25, version), "ir_version is")) << version;
  }
  EXPECT_TRUE(refuses_file(Proto().message(8, opset_import(25)).message(7, shape_graph().proto()).bytes(), "ir_version is 0"));
}

TEST(Model, AGraphIsRequiredAndMayComeInParts) {
  const Proto header = Proto().varint(1, 10).message(8, opset_import(25));
  EXPECT_TRUE(refuses_file(header.bytes(), "there is no graph: the file is cut off, or not a model"));
  const Proto graph = shape_graph().proto();
  EXPECT_TRUE(refuses_file(Proto(header).message(7, graph).message(7, graph).bytes(), "the name 'x' is used twice"));
  // Protobuf merges the parts of a message.
  const Graph whole = shape_graph();
  const Graph first{whole.nodes, {}, {}};
  const Graph second{{}, whole.inputs, whole.outputs};
  EXPECT_TRUE(test::succeeds(read_model(Proto(header).message(7, first.proto()).message(7, second.proto()).bytes())));
}

std::string with_imports(const std::vector<Proto>& imports, const Graph& graph = shape_graph()) {
  Proto model = Proto().varint(1, 10).message(7, graph.proto());
  for (const Proto& import : imports) model.message(8, import);
  return model.bytes();
}

TEST(OpsetImport, TheDefaultDomainHasTwoNames) {
  for (const char* node_domain : {"", "ai.onnx"}) {
    for (const char* import_domain : {"", "ai.onnx"}) {
      const Graph graph = with_node(node("Shape", {"x"}, {"y"}, {}, "", node_domain));
      EXPECT_TRUE(test::succeeds(read_model(with_imports({opset_import(25, import_domain)}, graph))))
          << node_domain << " " << import_domain;
    }
  }
}

TEST(OpsetImport, OpsetsBeyondTheNewestAreRead) {
  for (const std::int64_t opset : {26, 27, 28, 100}) {
    EXPECT_TRUE(test::succeeds(read_model(test::model(shape_graph(), opset)))) << opset;
  }
}

TEST(OpsetImport, OtherDomainsMayBeImportedToo) {
  EXPECT_TRUE(test::succeeds(read_model(with_imports({opset_import(1, "ai.onnx.ml"), opset_import(25)}))));
}

TEST(OpsetImport, NodesOfOtherDomainsNeedNoneOfTheDefaultDomain) {
  const Graph graph{{node("Gelu", {"x"}, {"y"}, {}, "", "com.microsoft")},
                    {value_info("x", Dtype::float32, {2})},
                    {value_info("y", Dtype::float32)}};
  EXPECT_TRUE(test::succeeds(read_model(with_imports({opset_import(1, "com.microsoft")}, graph))));
}

TEST(OpsetImport, NodesOfTheDefaultDomainNeedOne) {
  EXPECT_TRUE(refuses_file(with_imports({}), "needs an opset_import for the default domain"));
  EXPECT_TRUE(refuses_file(with_imports({opset_import(1, "ai.onnx.ml")}), "needs an opset_import"));
}

TEST(OpsetImport, AnOpsetBelowOneIsRefused) {
  for (const std::int64_t opset : {0, -1}) {
    EXPECT_TRUE(refuses_file(with_imports({opset_import(opset)}), "the opset of the default domain is")) << opset;
  }
}

TEST(OpsetImport, TwoOpsetsForOneDomainAreRefused) {
  EXPECT_TRUE(
      refuses_file(with_imports({opset_import(13), opset_import(25, "ai.onnx")}), "imported twice, with opset 13 and 25"));
}

TEST(OpsetImport, SelectsTheVersionOfEveryOperator) {
  const Graph graph = with_node(node("Shape", {"x"}, {"y"}, {int_of("start", 1)}));
  EXPECT_TRUE(test::succeeds(read_model(test::model(graph, 15))));
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "it came with Shape-15", 14));
}

TEST(Node, AnUnknownOperatorIsRefusedWithItsName) {
  const auto model = read_model(test::model(with_node(node("Shrimp", {"x"}, {"y"}, {}, "first"))));
  ASSERT_TRUE(test::fails(model, Code::UnknownOperator, "'first': no operator 'Shrimp'"));
  EXPECT_EQ(model.error()->op.view(), "Shrimp");
  EXPECT_EQ(model.error()->node.view(), "first");
  EXPECT_EQ(model.error()->opset, 25);
}

TEST(Node, AnOperatorOfAnotherDomainIsRefusedWithTheDomain) {
  EXPECT_TRUE(refuses(with_node(node("Shape", {"x"}, {"y"}, {}, "", "com.example")), Code::UnknownOperator,
                      "no operator 'Shape' in domain 'com.example'"));
}

TEST(Node, AnOperatorOfADomainOfOneMachineIsRefusedWithTheReason) {
  EXPECT_TRUE(refuses(with_node(node("Conv", {"x", "x"}, {"y"}, {}, "", "com.ms.internal.nhwc")), Code::UnknownOperator,
                      "in domain 'com.ms.internal.nhwc': onnxruntime optimised this file for one machine, use the original"));
}

TEST(Node, AnOperatorThatCameLaterIsRefusedWithItsFirstVersion) {
  const Graph graph{
      {node("ConstantOfShape", {"x"}, {"y"})}, {value_info("x", Dtype::int64)}, {value_info("y", Dtype::float32)}};
  EXPECT_TRUE(refuses(graph, Code::UnknownOperator, "its first version is ConstantOfShape-9", 8));
  EXPECT_TRUE(test::succeeds(read_model(test::model(graph, 9))));
}

TEST(Node, OneWithoutAnOperatorIsRefused) {
  EXPECT_TRUE(refuses(with_node(node("", {"x"}, {"y"})), Code::InvalidModel, "a node without op_type"));
}

TEST(Node, OneWithoutANameIsNamedByItsNumber) {
  const auto model = read_model(test::model(with_node(node("Shape", {}, {"y"}))));
  ASSERT_TRUE(test::fails(model, Code::InvalidModel, "'#0': Shape-25: takes 1 input, got 0"));
  EXPECT_EQ(model.error()->node.view(), "#0");
  EXPECT_EQ(model.error()->op.view(), "Shape");
}

TEST(Node, TheWrongNumberOfInputsOrOutputsIsRefused) {
  EXPECT_TRUE(refuses(with_node(node("Shape", {"x", "x"}, {"y"})), Code::InvalidModel, "takes 1 input, got 2"));
  EXPECT_TRUE(refuses(with_node(node("Shape", {"x"}, {"y", "z"})), Code::InvalidModel, "takes 1 output, got 2"));
  Graph graph = shape_graph();
  graph.nodes.push_back(node("Shape", {"x"}, {}));
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "takes 1 output, got 0"));
}

TEST(Node, AnEmptyNameForARequiredInputOrOutputIsRefused) {
  EXPECT_TRUE(refuses(with_node(node("Shape", {""}, {"y"})), Code::InvalidModel, "input 0 ('data') is missing"));
  EXPECT_TRUE(refuses(with_node(node("Shape", {"x"}, {""})), Code::InvalidModel, "output 0 has no name"));
}

TEST(Node, AnInputThatNothingProducesIsRefused) {
  EXPECT_TRUE(refuses(with_node(node("Shape", {"z"}, {"y"})), Code::InvalidModel, "nothing produces its input 'z'"));
}

TEST(Node, NodesOutOfOrderAreSortedWithAWarning) {
  Graph graph = shape_graph();
  graph.nodes = {node("Shape", {"z"}, {"y"}), node("Identity", {"w"}, {"z"}), node("Identity", {"x"}, {"w"})};
  const test::ModelPtr model = load(graph);
  EXPECT_EQ(test::elements<std::int64_t>(must(test::run(*model, {{"x", test::floats({2}, {1, 2})}}))[0]), test::List{2});
  ASSERT_EQ(model->warnings.size(), 1U);
  EXPECT_EQ(records(model->warnings)[0]->text, "graph: nodes are not in topological order");
  EXPECT_EQ(records(model->graph->nodes)[0]->op_type, "Shape");
}

TEST(Node, ACycleIsRefused) {
  Graph graph = shape_graph();
  graph.nodes = {node("Identity", {"b"}, {"a"}), node("Identity", {"a"}, {"b"}), node("Shape", {"x"}, {"y"})};
  EXPECT_TRUE(
      refuses(graph, Code::InvalidModel, "node '#0': reads what follows from its own outputs: the nodes are in a cycle"));
  graph.nodes = {node("Identity", {"y"}, {"y"})};
  EXPECT_TRUE(
      refuses(graph, Code::InvalidModel, "node '#0': reads what follows from its own outputs: the nodes are in a cycle"));
}

TEST(Node, ATypeThatTheVersionDoesNotAllowIsRefused) {
  Graph graph = shape_graph();
  graph.inputs = {value_info("x", Dtype::bfloat16)};
  EXPECT_TRUE(refuses(graph, Code::UnsupportedType, "Shape-1: input 'data' cannot be bfloat16; Shape-13", 12));
  EXPECT_TRUE(test::succeeds(read_model(test::model(graph, 13))));
}

TEST(Node, TypesOfInnerValuesAreCheckedToo) {
  Graph graph = shape_graph();
  graph.nodes = {node("Identity", {"x"}, {"z"}), node("ConstantOfShape", {"z"}, {"y"})};
  EXPECT_TRUE(refuses(graph, Code::UnsupportedType, "input 'input' cannot be float32"));
}

TEST(Names, UsedTwiceAreRefused) {
  Graph graph = shape_graph();
  graph.nodes = {node("Shape", {"x"}, {"y"}), node("Shape", {"x"}, {"y"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'y' is used twice"));
  graph.nodes = {node("Identity", {"x"}, {"x"})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'x' is used twice"));
  graph = shape_graph();
  graph.inputs.push_back(value_info("x", Dtype::float32));
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'x' is used twice"));
  graph = shape_graph();
  graph.initializers = {float_tensor({1}, {1}, "y")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'y' is used twice"));
  graph.initializers = {float_tensor({1}, {1}, "w"), float_tensor({1}, {1}, "w")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'w' is used twice"));
  graph.initializers = {float_tensor({1}, {1}, "x"), float_tensor({1}, {1}, "x")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "the name 'x' is used twice"));
}

TEST(Outputs, ThatAreListedTwiceAreOneOfOneType) {
  Graph graph = shape_graph();
  graph.outputs.push_back(value_info("y", Dtype::int64));
  graph.outputs.push_back(value_info("y", Dtype::int64, {"n"}));
  const ModelPtr loaded = must(read_model(model(graph)));
  EXPECT_EQ(names_of(loaded->graph->outputs), Names{"y"});
  EXPECT_EQ(warnings_of(*loaded)[0], "the output 'y' is listed twice: it is one");
  graph.outputs.push_back(value_info("y", Dtype::float32));
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'y' is declared as float32, but it is int64"));
}

TEST(Names, ThatAreNotUtf8AreRefused) {
  EXPECT_TRUE(refuses(with_node(node("Shape", {"x"}, {"\xFF"})), Code::InvalidModel, "not UTF-8"));
  EXPECT_TRUE(refuses(with_node(node("Sh\xFF", {"x"}, {"y"})), Code::InvalidModel, "not UTF-8"));
  EXPECT_TRUE(refuses(with_node(node("Shape", {"\xC0"}, {"y"})), Code::InvalidModel, "not UTF-8"));
}

TEST(Names, OfMegabytesAreReadAndCutInErrors) {
  const std::string name(3000000, 'n');
  Graph graph = shape_graph();
  graph.nodes = {node("Identity", {"x"}, {name}, {}, name), node("Shape", {name}, {"y"})};
  EXPECT_TRUE(test::succeeds(read_model(test::model(graph))));
  graph.nodes.pop_back();
  graph.nodes.push_back(node("Shape", {name + "2"}, {"y"}));
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "nothing produces its input 'nnn"));
}

TEST(GraphInput, OneWithoutANameOrATypeIsRefused) {
  Graph graph = shape_graph();
  graph.inputs = {value_info("", Dtype::float32)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "an input without a name"));
  graph.inputs = {value_info("x", Dtype::undefined)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'x' has no element type"));
  graph.inputs = {Proto().string(1, "x")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'x' has no element type"));
}

TEST(GraphInput, AnInvalidElementTypeIsRefused) {
  Graph graph = shape_graph();
  graph.inputs = {Proto().string(1, "x").message(2, Proto().message(1, Proto().varint(1, 27)))};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "elem_type is 27, which is not an element type"));
}

TEST(GraphInput, SequencesMapsSparseTensorsAndOptionalsAreRefusedByTheirNames) {
  for (const auto& [field, says] : {std::pair{4U, "not a tensor: a sequence;"},
                                    {5U, "not a tensor: a map;"},
                                    {8U, "not a tensor: a sparse tensor;"},
                                    {9U, "not a tensor: an optional;"}}) {
    Graph graph = shape_graph();
    graph.inputs = {Proto().string(1, "x").message(2, Proto().string(field, ""))};
    EXPECT_TRUE(refuses(graph, Code::InvalidModel, says));
  }
}

TEST(GraphOutput, OneThatNothingProducesIsRefused) {
  Graph graph = shape_graph();
  graph.outputs = {value_info("z", Dtype::int64)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "nothing produces the output 'z'"));
  graph.outputs = {value_info("", Dtype::int64)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "nothing produces the output ''"));
}

TEST(GraphOutput, ATypeThatContradictsTheOperatorIsRefused) {
  Graph graph = shape_graph();
  graph.outputs = {value_info("y", Dtype::float32)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'y' is declared as float32, but it is int64"));
}

TEST(GraphOutput, AnInputIsRefusedWithAnotherType) {
  Graph graph = shape_graph();
  graph.outputs = {value_info("y", Dtype::int64), value_info("x", Dtype::int8)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "graph.output[1]: 'x' is declared as int8, but it is float32"));
}

TEST(ValueInfo, ATypeThatContradictsTheOperatorIsRefused) {
  Graph graph = shape_graph();
  graph.nodes = {node("Identity", {"x"}, {"z"}), node("Shape", {"z"}, {"y"})};
  graph.value_infos = {value_info("z", Dtype::float32), value_info("unknown", Dtype::int8)};
  EXPECT_TRUE(test::succeeds(read_model(test::model(graph))));
  graph.value_infos = {value_info("z", Dtype::int8)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'z' is declared as int8, but it is float32"));
}

TEST(Initializer, OneWithoutANameIsRefused) {
  Graph graph = shape_graph();
  graph.initializers = {float_tensor({1}, {1})};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "an initializer without a name"));
}

TEST(Initializer, ATypeThatContradictsItsInputIsRefused) {
  Graph graph = shape_graph();
  graph.initializers = {int64_tensor({1}, {1}, "x")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "'x' is declared as float32, but it is int64"));
}

TEST(Initializer, OneThatIsWrongIsRefusedWithItsPlace) {
  Graph graph = shape_graph();
  graph.initializers = {float_tensor({1}, {1}, "ok"), float_tensor({2}, {1}, "w")};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "graph.initializer[1], byte"));
}

TEST(Initializer, ASparseOneThatIsWrongIsRefused) {
  Graph graph = shape_graph();
  const Proto values = float_tensor({1}, {1}, "w");
  graph.sparse_initializers = {Proto().message(1, values).message(2, int64_tensor({1}, {5})).varint(3, 2)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "outside 0 to 1"));
  graph.sparse_initializers = {Proto().message(1, values).varint(3, 2)};
  EXPECT_TRUE(refuses(graph, Code::InvalidModel, "values without indices"));
}

}  // namespace
}  // namespace broadloom::test::graph_test
