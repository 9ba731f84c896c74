// Operators that only models run, on models of one node with the outputs of onnxruntime (tools/microsoft-vectors.mjs). Each
// model runs node by node and by plans, on dense inputs and on views, and with every allocation failing once.
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "support/failing_runs.h"
#include "support/official.h"
#include "support/tensor_files.h"

namespace broadloom::test::microsoft_test {
namespace {

struct Case {
  std::string name;
  std::string model;
  int levels = 0;  // so far may bytes be from the outputs
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
};

class CaseReader {
 public:
  explicit CaseReader(std::string bytes) : bytes_(std::move(bytes)) {}
  bool is_at_end() const { return at_ == bytes_.size(); }
  Case next() {
    Case one{text(), text(), static_cast<int>(number()), {}, {}};
    for (std::vector<Tensor>* list : {&one.inputs, &one.outputs}) {
      for (std::uint32_t left = number(); left > 0; --left) list->push_back(must(read_tensor(text())));
    }
    return one;
  }

 private:
  std::uint32_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const std::size_t length = number();
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

std::vector<Case> cases_of_file() {
  CaseReader reader(file_bytes(BROADLOOM_MICROSOFT));
  std::vector<Case> list;
  while (!reader.is_at_end()) list.push_back(reader.next());
  return list;
}

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
  for (const Case& one : cases_of_file()) {
    SCOPED_TRACE(one.name + " " + std::to_string(++counts[one.name]));
    const ModelPtr model = must(read_model(one.model));
    Feeds feeds;
    for (const GraphInput& input : model->graph->inputs) feeds.emplace_back(input.info.name, one.inputs[feeds.size()]);
    const std::vector<Tensor> outputs = must(run(*model, feeds));
    ASSERT_EQ(outputs.size(), one.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) expect_near(outputs[i], one.outputs[i], one.levels);
    if (HasFailure()) return;
  }
  EXPECT_EQ(counts.size(), 37U);
}

TEST(Microsoft, EachAllocationMayFail) {
  int failures = 0;
  std::string last;
  int count = 0;
  for (const Case& one : cases_of_file()) {
    count = one.name == last ? count + 1 : 0;
    last = one.name;
    if (count % 8 != 0) continue;
    SCOPED_TRACE(one.name + " " + std::to_string(count));
    fail_each_run(one.model, one.inputs, failures);
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 1000);
}

}  // namespace
}  // namespace broadloom::test::microsoft_test
