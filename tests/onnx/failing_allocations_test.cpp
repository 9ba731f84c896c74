// Each allocation of the core fails once: then there is an error of memory or the right result, nothing stays, and the next run
// is right.
#include "support/failing_allocations.h"

#include "graph/plans.h"
#include "graph/shape_inference.h"
#include "support/cases.h"
#include "support/official.h"
#include "support/simplified.h"
#include "support/tensor_files.h"

namespace broadloom::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string file;
  std::vector<Tensor> inputs;
};

Case case_in(const fs::path& folder) {
  Case one{file_bytes(folder / "model.onnx"), {}};
  for (int i = 0;; ++i) {
    const fs::path input = folder / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb");
    if (!fs::exists(input)) return one;
    Result<Tensor> tensor = read_tensor(file_bytes(input));
    // Of a sequence or an optional, whose operators do not run.
    if (!tensor) {
      Error::forget();
      return one;
    }
    one.inputs.push_back(std::move(*tensor));
  }
}

std::vector<Model::Feed> feeds_of(const Model& model, const std::vector<Tensor>& inputs) {
  std::vector<Model::Feed> feeds;
  for (const GraphInput& input : model.graph->inputs) {
    if (feeds.size() < inputs.size()) feeds.push_back({input.info.name, &inputs[feeds.size()]});
  }
  return feeds;
}

// The failing call's numbers grow faster than they are: a long run has thousands.
std::size_t next(std::size_t number) { return number + 1 + number / 64; }

using Outputs = Result<std::vector<Tensor>>;

// Lets each call of `work` to malloc fail. `work` has the outputs `wanted` where no failure is seen.
template <class Work>
void fail_each(const Work& work, const std::vector<Tensor>& wanted, int& failures) {
  for (const bool all : {false, true}) {
    for (std::size_t number = 1;; number = next(number)) {
      const std::size_t before = Storage::bytes_in_use();
      bool has_failed = false;
      {
        const Outputs outputs = [&] {
          const FailingAllocations failing(number, all);
          Outputs made = work();
          has_failed = FailingAllocations::has_failed();
          return made;
        }();
        if (outputs) {
          expect_same_bits(*outputs, wanted);
        } else {
          EXPECT_EQ(outputs.error()->code, Code::OutOfMemory) << outputs.error()->message.view();
          Error::forget();
          ++failures;
        }
      }
      Plans::release_all();
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << "call " << number << (all ? " and all behind it" : "");
        return;
      }
      EXPECT_LE(Storage::bytes_in_use(), before);
      if (!has_failed) break;
    }
  }
}

// Those of random operators differ from run to run.
bool is_random(const Model& model) {
  for (const broadloom::Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      if (node.op == nullptr || node.op->traits.is_random) return true;
    }
  }
  return false;
}

TEST(FailingAllocations, EveryOfficialModelGivesAnErrorOrItsOutputs) {
  if (!official_files_exist()) GTEST_SKIP() << "libonnx-testdata is not installed";
  // In a short run, one of five models.
  const std::size_t step = cases() >= 50000 ? 1 : 5;
  int failures = 0;
  std::size_t number = 0;
  for (const fs::path& folder : official_folders()) {
    if (number++ % step != 0) continue;
    SCOPED_TRACE(folder.string());
    const Case one = case_in(folder);
    const auto model = read_model(one.file);
    if (!model) {
      Error::forget();
      continue;
    }
    if (is_random(**model)) continue;
    const auto feeds = feeds_of(**model, one.inputs);
    Outputs reference = (*model)->run(feeds, {false});
    if (!reference) {
      Error::forget();
      continue;
    }
    const auto whole = [&](bool optimizes) {
      return [&, optimizes]() -> Outputs {
        BROADLOOM_TRY(read, read_model(one.file));
        ShapeInference inference(*read);
        BROADLOOM_CHECK(inference.run());
        return read->run(feeds_of(*read, one.inputs), {optimizes});
      };
    };
    fail_each(whole(false), *reference, failures);
    fail_each(whole(true), *reference, failures);
    must((*model)->run(feeds));  // what is made once
    Plans::release_all();
    // One model for all runs: what a failed run leaves must not harm the next.
    fail_each([&] { return (*model)->run(feeds); }, *reference, failures);
    expect_same_bits(must((*model)->run(feeds)), *reference);
    fail_each(
        [&]() -> Outputs {
          BROADLOOM_TRY(simplified, try_simplify(one.file));
          return simplified.model->run(feeds_of(*simplified.model, one.inputs));
        },
        *reference, failures);
    if (HasFailure()) return;
  }
  std::printf("%d failures of memory\n", failures);
  EXPECT_GT(failures, 1000);
}

TEST(FailingAllocations, TensorsOfFilesAreReadAndWrittenOrThereIsAnError) {
  int failures = 0;
  // Of sizes for which no block is kept.
  const std::vector<std::string> texts(3000, "a");
  for (const Tensor& tensor : {zeros(Dtype::float32, {3000}), zeros(Dtype::int4, {9001}), strings({3000}, texts)}) {
    const std::string file = written(tensor);
    fail_each(
        [&]() -> Outputs {
          BROADLOOM_TRY(read, read_tensor(file));
          BROADLOOM_TRY(again, write_tensor_proto(read));
          BROADLOOM_TRY(last, read_tensor(std::string_view(reinterpret_cast<const char*>(again.data()), dense_size(again))));
          return std::vector<Tensor>{last};
        },
        {tensor}, failures);
  }
  EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace broadloom::test
