// Faults of real files that the ONNX text forbids: they are accepted, with a warning.
#include "support/models.h"

namespace broadloom::test::real_files_test {
namespace {

Proto constant(std::string_view output, std::int64_t value) {
  return node("Constant", {}, {std::string(output)}, {int_of("value_int", value)});
}

std::vector<std::string> warnings_of(const std::string& file) {
  const auto model = must(read_model(file));
  std::vector<std::string> texts;
  for (const Warning& warning : model->warnings) texts.emplace_back(warning.text);
  return texts;
}

using Texts = std::vector<std::string>;

Graph constant_graph() { return {{constant("y", 1)}, {}, {value_info("y", Dtype::int64)}}; }

TEST(RealFiles, AFileWithoutFaultsHasNoWarnings) { EXPECT_EQ(warnings_of(test::model(constant_graph())), Texts{}); }

TEST(RealFiles, SeveralConstantsOfOneNameAreReadInOrder) {
  const Graph graph{
      {constant("c", 1), node("Identity", {"c"}, {"first"}), constant("c", 2), node("Identity", {"c"}, {"second"})},
      {},
      {value_info("first", Dtype::int64), value_info("second", Dtype::int64), value_info("c", Dtype::int64)}};
  const auto outputs = must(test::run(*test::load(graph)));
  EXPECT_EQ(elements<std::int64_t>(outputs[0]), List{1});
  EXPECT_EQ(elements<std::int64_t>(outputs[1]), List{2});
  EXPECT_EQ(elements<std::int64_t>(outputs[2]), List{2});
  EXPECT_EQ(warnings_of(test::model(graph)),
            Texts{"the name 'c' is used for several Constant nodes: each node reads the one before it"});
}

TEST(RealFiles, OnlyConstantsMayShareAName) {
  Graph graph = constant_graph();
  graph.nodes = {constant("y", 1), constant("c", 1), node("Identity", {"c"}, {"y"})};
  EXPECT_TRUE(test::refuses(graph, Code::InvalidModel, "the name 'y' is used twice"));
  graph.nodes = {constant("c", 1), node("Identity", {"c"}, {"y"}), constant("y", 1)};
  EXPECT_TRUE(test::refuses(graph, Code::InvalidModel, "the name 'y' is used twice"));
}

TEST(RealFiles, OutputsAndValuesNeedNoElementType) {
  Graph graph = constant_graph();
  graph.nodes.push_back(node("Identity", {"y"}, {"z"}));
  graph.outputs = {value_info("y", Dtype::undefined), Proto().string(1, "z")};
  graph.value_infos = {value_info("z", Dtype::undefined)};
  EXPECT_EQ(warnings_of(test::model(graph)),
            (Texts{"value_info of 'z' declares no element type", "the output 'y' declares no element type",
                   "the output 'z' declares no element type"}));
}

TEST(RealFiles, OldAndNewIrVersionsAreRead) {
  EXPECT_EQ(warnings_of(Proto()
                            .varint(1, 1)
                            .message(7, Graph{{node("Shape", {"x"}, {"y"})},
                                              {value_info("x", Dtype::float32)},
                                              {value_info("y", Dtype::int64)}}
                                            .proto())
                            .bytes()),
            Texts{"ir_version 1 is older than opset imports"});
  EXPECT_EQ(warnings_of(test::model(constant_graph(), 25, 2)), Texts{"ir_version 2 is older than opset imports"});
  EXPECT_EQ(warnings_of(test::model(constant_graph(), 25, 14)), Texts{});
  EXPECT_EQ(warnings_of(test::model(constant_graph(), 25, 99)), Texts{"ir_version 99 is newer than 14, the newest known"});
}

TEST(RealFiles, ImportsNeedNotBeUsed) {
  const std::string file = Proto()
                               .varint(1, 10)
                               .message(8, opset_import(25))
                               .message(8, opset_import(3, "ai.onnx.ml"))
                               .message(7, constant_graph().proto())
                               .bytes();
  EXPECT_EQ(warnings_of(file), Texts{"the domain 'ai.onnx.ml' is imported, but no node is of it"});
}

TEST(RealFiles, AConstantMayHaveATypeThatCameLater) {
  Graph graph = constant_graph();
  graph.nodes = {node("Constant", {}, {"y"}, {test::tensor_of_attribute("value", test::int64_tensor({}, {7}))}, "c")};
  EXPECT_EQ(elements<std::int64_t>(test::run_one(graph, {}, 8)), List{7});
  EXPECT_EQ(warnings_of(test::model(graph, 8)),
            Texts{"'c': Constant-1: output 'output' cannot be int64; Constant-9 (opset 9) allows it"});
}

TEST(RealFiles, AfterAHundredWarningsOneSaysThatThereAreMore) {
  Graph graph = constant_graph();
  for (int i = 0; i < 300; ++i) graph.value_infos.push_back(value_info("v" + std::to_string(i), Dtype::undefined));
  const Texts texts = warnings_of(test::model(graph));
  ASSERT_EQ(texts.size(), 101U);
  EXPECT_EQ(texts.back(), "there are more warnings than these");
}

TEST(RealFiles, SparseInitializersAreWrittenWhenTheyAreRead) {
  const Proto sparse =
      Proto().message(1, test::float_tensor({1}, {5}, "w")).message(2, test::int64_tensor({1}, {3})).varint(3, 1000000000000);
  Graph graph{{node("Shape", {"w"}, {"y"})}, {}, {value_info("y", Dtype::int64)}};
  graph.sparse_initializers = {sparse};
  EXPECT_EQ(elements<std::int64_t>(test::run_one(graph)), List{1000000000000});
  graph.nodes = {node("Identity", {"w"}, {"y"})};
  graph.outputs = {value_info("y", Dtype::float32)};
  EXPECT_TRUE(test::fails(test::run(*test::load(graph)), Code::OutOfMemory, "do not fit"));
  graph.sparse_initializers = {
      Proto().message(1, test::float_tensor({1}, {5}, "w")).message(2, test::int64_tensor({1}, {3})).varint(3, 4)};
  EXPECT_EQ(elements<float>(test::run_one(graph)), (std::vector<float>{0, 0, 0, 5}));
}

TEST(RealFiles, TheLastMemberOfAOneofCounts) {
  const Proto both = Proto().varint(1, 7).string(2, "n");
  const Proto reversed = Proto().string(2, "n").varint(1, 7);
  for (const auto& [dim, is_named] : {std::pair(both, true), std::pair(reversed, false)}) {
    const Proto type = Proto().message(1, Proto().varint(1, 1).message(2, Proto().message(1, dim)));
    const Graph graph{
        {node("Shape", {"x"}, {"y"})}, {Proto().string(1, "x").message(2, type)}, {value_info("y", Dtype::int64)}};
    const auto model = must(read_model(test::model(graph)));
    const Dimension& read = *test::records(test::records(model->graph->inputs)[0]->info.dims)[0];
    EXPECT_EQ(read.value, is_named ? -1 : 7);
    EXPECT_EQ(read.name, is_named ? "n" : "");
  }
}

TEST(RealFiles, MessagesInPartsAreMerged) {
  const Proto first = Proto().message(1, Proto().varint(1, 1));
  const Proto second = Proto().message(1, Proto().message(2, Proto().message(1, Proto().varint(1, 4))));
  const Graph graph{{node("Shape", {"x"}, {"y"})},
                    {Proto().string(1, "x").message(2, first).message(2, second)},
                    {value_info("y", Dtype::int64)}};
  const auto model = must(read_model(test::model(graph)));
  const ValueInfo& info = test::records(model->graph->inputs)[0]->info;
  EXPECT_EQ(info.dtype, Dtype::float32);
  // The tensor types are in different parts of the type, so only the fields of the first part are surely merged.
  EXPECT_LE(info.dims.size(), 1U);
}

}  // namespace
}  // namespace broadloom::test::real_files_test
