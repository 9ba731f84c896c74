// Operators that only models run, on models of one node with the outputs of onnxruntime (tools/extract/microsoft-vectors.mjs).
// Each model runs node by node and by plans, on dense inputs and on views, and with every allocation failing once.
#include "support/microsoft.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "support/cases.h"
#include "support/failing_runs.h"
#include "support/official.h"
#include "support/tensor_files.h"

namespace broadloom::test::microsoft_test {
namespace {

std::vector<double> numbers_of(const Tensor& tensor) { return elements<double>(must(in_type(tensor, Dtype::float64))); }

// Floats agree to so much of the largest one.
double part_of(Dtype dtype) {
  return dtype == Dtype::float64 ? 1e-10 : dtype == Dtype::float32 ? 1e-5 : dtype == Dtype::float16 ? 2e-3 : 0;
}

void expect_near(const Tensor& found, const Tensor& wanted, int levels) {
  ASSERT_EQ(found.dtype, wanted.dtype);
  ASSERT_EQ(list(found.dims()), list(wanted.dims()));
  const std::vector<double> ours = numbers_of(found);
  const std::vector<double> theirs = numbers_of(wanted);
  double largest = 1;
  for (const double value : theirs) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  const double part = part_of(found.dtype);
  const double most = part == 0 ? levels : part * largest;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool is_same = ours[i] == theirs[i] || (std::isnan(ours[i]) && std::isnan(theirs[i]));
    ASSERT_TRUE(is_same || std::abs(ours[i] - theirs[i]) <= most) << "element " << i << ": " << ours[i] << " " << theirs[i];
  }
}

TEST(Microsoft, EveryOperatorHasTheResultsOfOnnxruntime) {
  std::map<std::string, int> counts;
  for (const MicrosoftCase& one : microsoft_cases(BROADLOOM_MICROSOFT)) {
    SCOPED_TRACE(one.name + " " + std::to_string(++counts[one.name]));
    const ModelPtr model = must(read_model(one.model));
    Feeds feeds;
    for (const GraphInput& input : model->graph->inputs) feeds.emplace_back(input.info.name, one.inputs[feeds.size()]);
    const std::vector<Tensor> outputs = must(run(*model, feeds));
    ASSERT_EQ(outputs.size(), one.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) expect_near(outputs[i], one.outputs[i], one.levels);
    if (HasFailure()) return;
  }
  EXPECT_EQ(counts.size(), 54U);
}

TEST(Microsoft, EachAllocationMayFail) {
  int failures = 0;
  std::string last;
  int count = 0;
  for (const MicrosoftCase& one : microsoft_cases(BROADLOOM_MICROSOFT)) {
    count = one.name == last ? count + 1 : 0;
    last = one.name;
    if (count % (is_deep() ? 8 : 24) != 0) continue;
    SCOPED_TRACE(one.name + " " + std::to_string(count));
    fail_each_run(one.model, one.inputs, failures);
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 1000);
}

}  // namespace
}  // namespace broadloom::test::microsoft_test
