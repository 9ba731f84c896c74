// Calls as files, with features of no current operator: variadic outputs, and names that inputs and outputs share.
#include "onnx/node_model.h"

#include "support/models.h"
#include "support/tensor_files.h"

namespace broadloom::test::node_model_test {
namespace {

constexpr Parameter inputs[] = {{"first", TypeVariable::T, Option::Optional}, {"x", TypeVariable::T, Option::Variadic}};
constexpr Parameter outputs[] = {{"x", TypeVariable::T, Option::Variadic}};
constexpr Signature signature{{}, inputs, outputs, {TypeVariable::T}};
constexpr OperatorVersion versions[] = {{7, &signature, {Dtype::int8}}};
constexpr Operator weave{.name = "Weave", .versions = versions};

std::string_view bytes_of(const Tensor& file) { return {reinterpret_cast<const char*>(file.data()), dense_size(file)}; }

struct Files {
  Names names;  // of the TensorProtos
  Names node;   // the node's inputs and outputs
};

Files files_of(const std::vector<const Tensor*>& given, std::vector<Tensor> results) {
  const Attributes attributes;
  Call call{versions[0], given, attributes, {}, results};
  const std::vector<Tensor> files = must(write_node_model({weave, versions[0], 9}, call));
  Files found;
  for (std::size_t i = 1; i < files.size(); ++i) {
    Source source(bytes_of(files[i]));
    WireReader message(source, "tensor");
    std::string_view name;
    read_tensor_proto(message, &name);
    EXPECT_TRUE(source.ok());
    found.names.emplace_back(name);
  }
  const test::ModelPtr model = must(read_model(bytes_of(files[0]), {Unsupported::allowed}));
  const Node& node = *test::records(model->graph->nodes)[0];
  EXPECT_EQ(node.op_type, "Weave");
  for (const Value* value : node.inputs) found.node.emplace_back(value == nullptr ? "" : value->name);
  for (const Value* value : node.outputs) found.node.emplace_back(value->name);
  return found;
}

const Tensor x = test::zeros(Dtype::int8, {2});

TEST(NodeModel, VariadicValuesHaveNumbersAndOutputsNeverHaveTheNameOfAnInput) {
  const Files files = files_of({&x, &x, &x}, {x, x});
  EXPECT_EQ(files.names, (Names{"first", "x_0", "x_1", "x_3", "x_4"}));
  EXPECT_EQ(files.node, files.names);
}

TEST(NodeModel, InputsThatAreLeftOutHaveNoFileAndTrailingOnesNoName) {
  const Files files = files_of({nullptr, &x, nullptr}, {x});
  EXPECT_EQ(files.names, (Names{"x_0", "x_2"}));
  EXPECT_EQ(files.node, (Names{"", "x_0", "x_2"}));
}

TEST(NodeModel, NumbersOfNamesMayHaveSeveralDigits) {
  const Files files = files_of(std::vector<const Tensor*>(13, &x), {x});
  EXPECT_EQ(files.names[11], "x_10");
  EXPECT_EQ(files.names[12], "x_11");
  EXPECT_EQ(files.names[13], "x_13");
}

}  // namespace
}  // namespace broadloom::test::node_model_test
