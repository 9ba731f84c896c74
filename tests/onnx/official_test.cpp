// ONNX's own test models, with their inputs and outputs.
#include "support/official.h"

#include "support/models.h"
#include "support/tensor_files.h"

namespace broadloom {
namespace {

namespace fs = std::filesystem;
using test::list;
using test::must;

std::vector<Tensor> numbered(const fs::path& folder, const std::string& kind) {
  std::vector<Tensor> tensors;
  for (int i = 0;; ++i) {
    const fs::path file = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (!fs::exists(file)) return tensors;
    tensors.push_back(must(test::read_tensor(test::file_bytes(file))));
  }
}

void expect_official_outputs(const Model& model, const fs::path& set) {
  const std::vector<Tensor> inputs = numbered(set, "input");
  const std::vector<Tensor> expected = numbered(set, "output");
  ASSERT_FALSE(expected.empty());
  // Old files list initializers, after the inputs that the data has, as inputs with a default.
  ASSERT_GE(model.graph->inputs.size(), inputs.size());
  test::Feeds feeds;
  for (const Tensor& input : inputs) feeds.emplace_back(model.graph->inputs[feeds.size()].info.name, input);
  const auto outputs = test::run(model, feeds);
  ASSERT_TRUE(test::succeeds(outputs));
  ASSERT_EQ(outputs->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*outputs)[i].dtype, expected[i].dtype);
    EXPECT_EQ(list((*outputs)[i].dims()), list(expected[i].dims()));
    EXPECT_EQ(test::bytes_of((*outputs)[i]), test::bytes_of(expected[i]));
  }
}

// Debian's data writes bfloat16 as uint16 and cuts what should be rounded; ONNX put that right in 1.16.
bool is_outdated(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with("test_cast") && name.find("BFLOAT16") != std::string::npos;
}

// A case is left out only for an operator that is not there, or for values that are no tensors. tests/js/official.test.ts
// checks that by what stands in the files.
TEST(Official, EveryModelWhoseOperatorsAreThereGivesItsOutputs) {
  if (!test::official_files_exist()) GTEST_SKIP() << "libonnx-testdata is not installed";
  int complete = 0;
  for (const fs::path& folder : test::official_folders()) {
    SCOPED_TRACE(folder.string());
    const auto model = read_model(test::file_bytes(folder / "model.onnx"));
    if (!model) {
      const std::string message(model.error()->message.view());
      const bool is_other = message.find("not a tensor: a ") != std::string::npos ||
                            message.find("; only tensors can be computed") != std::string::npos;
      EXPECT_TRUE(model.error()->code == Code::UnknownOperator || is_other) << message;
      continue;
    }
    if (is_outdated(folder)) continue;
    ++complete;
    for (int i = 0; i == 0 || fs::exists(folder / ("test_data_set_" + std::to_string(i))); ++i)
      expect_official_outputs(**model, folder / ("test_data_set_" + std::to_string(i)));
  }
  EXPECT_GE(complete, 600);
}

}  // namespace
}  // namespace broadloom
