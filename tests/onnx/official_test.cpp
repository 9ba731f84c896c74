// ONNX's test models, with their inputs and outputs.
#include "support/official.h"

#include <cmath>

#include "graph/infer/shape_inference.h"
#include "support/models.h"
#include "support/numbers.h"
#include "support/tensor_files.h"

namespace broadloom::test::official_test {
namespace {

namespace fs = std::filesystem;

std::vector<Tensor> numbered(const fs::path& folder, const std::string& kind) {
  std::vector<Tensor> tensors;
  for (int i = 0;; ++i) {
    const fs::path file = folder / (kind + "_" + std::to_string(i) + ".pb");
    if (!fs::exists(file)) return tensors;
    tensors.push_back(must(test::read_tensor(test::file_bytes(file))));
  }
}

// Expects equal bits. Floats may differ by the tolerance of shared/agreement.js: 5 units in the last place of the
// largest element, or by the error of windows with an inexact pi and of data of four digits.
void expect_close(const Tensor& found, const Tensor& expected, int digits, bool is_inexact) {
  const Numbers ours = test::numbers_of(found);
  const Numbers theirs = test::numbers_of(expected);
  ASSERT_EQ(ours.size(), theirs.size());
  double largest = 0;
  for (const double value : theirs) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  const double unit = largest == 0 ? 0 : std::ldexp(1, std::ilogb(largest) - digits);
  const double allowed = is_inexact ? 1e-4 : 5 * unit;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool is_same = ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i]));
    EXPECT_TRUE(is_same || std::abs(ours[i] - theirs[i]) <= allowed) << ours[i] << " " << theirs[i];
  }
}
void expect_official(const Tensor& found, const Tensor& expected, bool is_inexact) {
  EXPECT_EQ(found.dtype, expected.dtype);
  EXPECT_EQ(list(found.dims()), list(expected.dims()));
  if (expected.dtype == Dtype::float16) return expect_close(found, expected, 10, is_inexact);
  if (expected.dtype == Dtype::float32) return expect_close(found, expected, 23, is_inexact);
  if (expected.dtype == Dtype::float64) return expect_close(found, expected, 52, is_inexact);
  EXPECT_EQ(test::bytes_of(found), test::bytes_of(expected));
}

void expect_official_outputs(const Model& model, const fs::path& set) {
  const std::vector<Tensor> inputs = numbered(set, "input");
  const std::vector<Tensor> expected = numbered(set, "output");
  ASSERT_FALSE(expected.empty());
  // In old files, initializers are also inputs. They follow the inputs of the data.
  const auto declared = test::records(model.graph->inputs);
  ASSERT_GE(declared.size(), inputs.size());
  test::Feeds feeds;
  for (const Tensor& input : inputs) feeds.emplace_back(declared[feeds.size()]->info.name, input);
  const auto outputs = test::run(model, feeds);
  ASSERT_TRUE(test::succeeds(outputs));
  ASSERT_EQ(outputs->size(), expected.size());
  bool is_inexact = false;
  for (const char* name : {"blackmanwindow", "hammingwindow", "hannwindow", "gridsample_bicubic", "roialign_aligned",
                           "averagepool_2d_ceil_last_window_starts_on_pad"})
    is_inexact = is_inexact || set.string().find(name) != std::string::npos;
  for (std::size_t i = 0; i < expected.size(); ++i) expect_official((*outputs)[i], expected[i], is_inexact);
}

bool trains(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const bool drops = name.starts_with("test_training_dropout") && name.find("zero_ratio") == std::string::npos;
  return drops || name.ends_with("_training_mode");
}

// Cases are skipped only because of unsupported operators, training, or values other than tensors.
// tests/js/official.test.ts checks that with the contents of the files.
TEST(Official, EveryModelOfSupportedOperatorsHasItsOutputs) {
  int complete = 0;
  for (const fs::path& folder : test::official_folders()) {
    SCOPED_TRACE(folder.string());
    const auto model = read_model(test::file_bytes(folder / "model.onnx"));
    if (!model) {
      const std::string message(model.error()->message.view());
      const bool is_other = message.find("not a tensor: a") != std::string::npos ||
                            message.find("; only tensors can be computed") != std::string::npos;
      EXPECT_TRUE(model.error()->code == Code::UnknownOperator || is_other) << message;
      continue;
    }
    if (trains(folder)) continue;
    ++complete;
    for (int i = 0; i == 0 || fs::exists(folder / ("test_data_set_" + std::to_string(i))); ++i)
      expect_official_outputs(**model, folder / ("test_data_set_" + std::to_string(i)));
  }
  EXPECT_GE(complete, 2083);
}

// Whether inferred dims agree with those of a run.
bool can_be(const Tensor& known, std::span<const std::int64_t> dims) {
  if (known.dims().size() != dims.size()) return false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (differ(known.dims()[i], dims[i])) return false;
  }
  return true;
}

TEST(Official, InferredDimsOfEveryModelAreThoseOfItsOutputsAndAlmostAllHaveARank) {
  int tensors = 0;
  int ranked = 0;
  for (const fs::path& folder : test::official_folders()) {
    SCOPED_TRACE(folder.string());
    const auto model = must(read_model(test::file_bytes(folder / "model.onnx"), {Unsupported::allowed}));
    for (const Warning& warning : model->warnings)
      EXPECT_EQ(warning.text.find(", but is ["), warning.text.npos) << warning.text;
    ShapeInference inference(*model);
    ASSERT_TRUE(inference.run());
    int number = 0;
    for (const GraphOutput& output : model->graph->outputs) {
      const fs::path file = folder / "test_data_set_0" / ("output_" + std::to_string(number++) + ".pb");
      if (!output.info.is_tensor() || !fs::exists(file)) continue;
      ++tensors;
      const Value& value = *output.value;
      if (!inference[value].is_ranked() || inference.is_only_declared(value)) continue;
      ++ranked;
      EXPECT_TRUE(can_be(inference[value], must(test::read_tensor(test::file_bytes(file))).run_dims())) << value.name;
    }
  }
  std::printf("%d of %d outputs have a rank\n", ranked, tensors);
  EXPECT_GE(tensors, 2500);
  // Operators for training and for sequences are unknown.
  EXPECT_LE(tensors - ranked, 80);
}

}  // namespace
}  // namespace broadloom::test::official_test
