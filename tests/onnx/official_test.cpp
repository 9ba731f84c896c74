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

class Official : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!test::official_files_exist()) GTEST_SKIP() << "libonnx-testdata is not installed";
  }
};

TEST_P(Official, ModelGivesItsOutputs) {
  const fs::path folder = test::official_folder / GetParam();
  const auto model = read_model(test::file_bytes(folder / "model.onnx"));
  ASSERT_TRUE(test::succeeds(model));
  const std::vector<Tensor> inputs = numbered(folder / "test_data_set_0", "input");
  const std::vector<Tensor> expected = numbered(folder / "test_data_set_0", "output");
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ((*model)->graph->inputs.size(), inputs.size());
  test::Feeds feeds;
  for (const GraphInput& input : (*model)->graph->inputs) feeds.emplace_back(input.info.name, inputs[feeds.size()]);
  const auto outputs = test::run(**model, feeds);
  ASSERT_TRUE(test::succeeds(outputs));
  ASSERT_EQ(outputs->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*outputs)[i].dtype, expected[i].dtype);
    EXPECT_EQ(list((*outputs)[i].dims()), list(expected[i].dims()));
    EXPECT_EQ(test::bytes_of((*outputs)[i]), test::bytes_of(expected[i]));
  }
}

std::string title(const testing::TestParamInfo<std::string>& parameter) {
  return parameter.param.substr(parameter.param.find("test_") + 5);
}

INSTANTIATE_TEST_SUITE_P(Files, Official, testing::ValuesIn(test::official_cases), title);

class OfficialOutside : public Official {};

TEST_P(OfficialOutside, ModelIsRefusedAsNoTensor) {
  const auto model = read_model(test::file_bytes(test::official_folder / GetParam() / "model.onnx"));
  EXPECT_TRUE(test::fails(model, Code::InvalidModel, "not a tensor"));
}

INSTANTIATE_TEST_SUITE_P(Files, OfficialOutside, testing::Values("node/test_identity_sequence", "node/test_identity_opt"),
                         title);

}  // namespace
}  // namespace broadloom
