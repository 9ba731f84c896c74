// Planned runs fail where runs node by node fail, with the same text. test::run compares them.
#include "support/models.h"

namespace broadloom::test {
namespace {

TEST(PlannedErrors, AnEmptyOutputStillNeedsOneNumberWhereOneIsWanted) {
  const Graph graph{{node("Trilu", {"x", "k"}, {"y"})},
                    {value_info("x", Dtype::float32, {3, 0, 5}), value_info("k", Dtype::int64, {2})},
                    {any("y")}};
  const Feeds feeds{{"x", zeros(Dtype::float32, {3, 0, 5})}, {"k", int64s({2}, {1, 1})}};
  EXPECT_TRUE(fails(run(*load(graph), feeds), Code::InvalidArgument, "'k' has 2 entries, wanted one"));
}

}  // namespace
}  // namespace broadloom::test
