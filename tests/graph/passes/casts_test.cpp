// Two Casts in a row.
#include "support/pass_graphs.h"

namespace broadloom::test::casts_test {
namespace {

TEST(Casts, ThatWidenAndNarrowBackAreRemoved) {
  const Graph graph = through(
      {node("Neg", {"x"}, {"a"}), cast("a", "b", Dtype::float64), cast("b", "c", Dtype::float32), node("Neg", {"c"}, {"y"})});
  EXPECT_EQ(listing(simplify(graph)), "a = Neg(x); y = Neg(a)");
}

TEST(Casts, ThatWidenTwiceAreMerged) {
  const Proto x = value_info("x", Dtype::int8, {2});
  const Graph graph = through({cast("x", "a", Dtype::int32), cast("a", "y", Dtype::int64)}, {}, x);
  const Simplified result = simplify(graph);
  EXPECT_EQ(listing(result), "y = Cast(x)");
  EXPECT_TRUE(gives_the_same(model(graph), result, {{"x", tensor_of<std::int8_t>(Dtype::int8, {2}, {-128, 127})}}));
}

TEST(Casts, ThatNarrowFirstStay) {
  const auto stays = [](Dtype from, Dtype by, Dtype last) {
    const Graph graph = through({cast("x", "a", by), cast("a", "y", last)}, {}, value_info("x", from, {2}));
    return listing(simplify(graph)) == "a = Cast(x); y = Cast(a)";
  };
  EXPECT_TRUE(stays(Dtype::float32, Dtype::float16, Dtype::float32));
  EXPECT_TRUE(stays(Dtype::float32, Dtype::int64, Dtype::float32));
  EXPECT_TRUE(stays(Dtype::int64, Dtype::float64, Dtype::int64));
  EXPECT_TRUE(stays(Dtype::int64, Dtype::int32, Dtype::int64));
  EXPECT_TRUE(stays(Dtype::uint8, Dtype::int8, Dtype::uint8));
  EXPECT_TRUE(stays(Dtype::int32, Dtype::boolean, Dtype::int32));
  EXPECT_TRUE(stays(Dtype::float16, Dtype::bfloat16, Dtype::float16));
  // A number out of range of the last type may have another result from another source type.
  EXPECT_TRUE(stays(Dtype::float32, Dtype::float64, Dtype::int8));
}

}  // namespace
}  // namespace broadloom::test::casts_test
