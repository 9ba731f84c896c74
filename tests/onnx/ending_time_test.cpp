// The time is over at each question that work asks: then there is an error or the right result, nothing stays, and the next run
// is right.
#include "support/ending_time.h"

#include "support/cases.h"
#include "support/failing_runs.h"
#include "support/official_case.h"
#include "support/random_graphs.h"

namespace broadloom::test::ending_time_test {
namespace {

TEST(EndingTime, NoOfficialModelGivesPartOfAResult) {
  // In a short run, one of twenty models.
  const std::size_t step = is_deep() ? 1 : 20;
  int failures = 0;
  std::size_t number = 0;
  for (const std::filesystem::path& folder : official_folders()) {
    if (number++ % step != 0) continue;
    SCOPED_TRACE(folder.string());
    const OfficialCase one = official_case(folder);
    fail_each_run<EndingTime>(one.file, one.inputs, failures);
    if (HasFailure()) return;
  }
  std::printf("%d ends of the time\n", failures);
  EXPECT_GT(failures, 1000);
}

TEST(EndingTime, NoRandomGraphGivesPartOfAResult) {
  Random random;
  int failures = 0;
  for (int i = 0; i < std::max(cases() / 100, 20); ++i) {
    const std::string file = GraphMaker(random).make();
    const auto model = must(read_model(file));
    std::vector<Tensor> inputs;
    for (auto& [name, tensor] : feeds_for(*model, random)) inputs.push_back(std::move(tensor));
    fail_each_run<EndingTime>(file, inputs, failures);
    if (HasFailure()) return;
  }
  EXPECT_GT(failures, 100);
}

}  // namespace
}  // namespace broadloom::test::ending_time_test
