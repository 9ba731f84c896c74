// Each allocation of the core fails once: then there is an error of memory or the right result, nothing stays, and the next run
// is right.
#include "graph/execute/profile.h"
#include "support/cases.h"
#include "support/failing_runs.h"
#include "support/official_case.h"
#include "support/random_graphs.h"
#include "support/tensor_files.h"

namespace broadloom::test::failing_allocations_test {
namespace {

TEST(FailingAllocations, EveryOfficialModelGivesAnErrorOrItsOutputs) {
  // In a short run, one of forty models.
  const std::size_t step = is_deep() ? 1 : 40;
  int failures = 0;
  std::size_t number = 0;
  for (const std::filesystem::path& folder : official_folders()) {
    if (number++ % step != 0) continue;
    SCOPED_TRACE(folder.string());
    const OfficialCase one = official_case(folder);
    fail_each_run(one.file, one.inputs, failures);
    if (HasFailure()) return;
  }
  std::printf("%d failures of memory\n", failures);
  EXPECT_GT(failures, 1000);
}

TEST(FailingAllocations, RandomGraphsOfSizesGiveAnErrorOrTheirOutputs) {
  Random random;
  int failures = 0;
  for (int i = 0; i < std::max(cases() / 100, 20); ++i) {
    const std::string file = GraphMaker(random).make();
    const auto model = must(read_model(file));
    std::vector<Tensor> inputs;
    for (auto& [name, tensor] : feeds_for(*model, random)) inputs.push_back(std::move(tensor));
    fail_each_run(file, inputs, failures);
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 100);
}

TEST(FailingAllocations, AProfileIsRefusedWithoutMemoryForItsRows) {
  Random random;
  const auto model = must(read_model(GraphMaker(random).make()));
  const FailingAllocations failing(1, true);
  const Result<Profile> profile = Profile::make(*model->graph, [] { return 0.0; });
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error()->code, Code::OutOfMemory);
  Error::forget();
}

TEST(FailingAllocations, TensorsOfFilesAreReadAndWrittenOrThereIsAnError) {
  int failures = 0;
  // Tensors have sizes for which no block is kept.
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
}  // namespace broadloom::test::failing_allocations_test
