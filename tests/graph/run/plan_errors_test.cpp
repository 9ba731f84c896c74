// Planned runs fail where runs node by node fail, with the same text. test::run compares them.
#include "support/models.h"

namespace broadloom::test::plan_errors_test {
namespace {

TEST(PlannedErrors, AnEmptyOutputStillNeedsOneNumberWhereOneIsWanted) {
  const Graph graph{{node("Trilu", {"x", "k"}, {"y"})},
                    {value_info("x", Dtype::float32, {3, 0, 5}), value_info("k", Dtype::int64, {2})},
                    {any("y")}};
  const Feeds feeds{{"x", zeros(Dtype::float32, {3, 0, 5})}, {"k", int64s({2}, {1, 1})}};
  EXPECT_TRUE(fails(run(*load(graph), feeds), Code::InvalidArgument, "'k' has 2 entries, wanted one"));
}

// The output has the rank of the data, whatever the axes are: a scalar's plan has its dims without them.
TEST(PlannedErrors, AScalarHasNoAxesThatARunCouldGive) {
  for (const char* operation : {"ReduceSum", "ReduceMean", "ReduceLogSumExp"}) {
    for (const std::int64_t is_noop : {0, 1}) {
      const Graph graph{{node(operation, {"x", "axes"}, {"y"}, {int_of("noop_with_empty_axes", is_noop)})},
                        {value_info("x", Dtype::float32), value_info("axes", Dtype::int64)},
                        {any("y")}};
      const auto model = load(graph);
      ModelRun runs(*model);
      const Feeds wrong{{"x", floats({}, {3})}, {"axes", int64s({1}, {1})}};
      EXPECT_TRUE(fails(run(runs, wrong), Code::InvalidArgument, "'axes' is 1, but a scalar has no axes"));
      const Feeds right{{"x", floats({}, {3})}, {"axes", int64s({0}, {})}};
      EXPECT_EQ(elements<float>(must(run(runs, right))[0]), std::vector<float>{3});
    }
  }
}

}  // namespace
}  // namespace broadloom::test::plan_errors_test
