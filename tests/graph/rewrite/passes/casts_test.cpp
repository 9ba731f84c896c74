// Two Casts in a row.
#include "kernels/elementwise/convert.h"
#include "support/pass_graphs.h"
#include "support/random.h"

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

std::vector<std::byte> converted(const std::vector<std::byte>& elements, Dtype from, Dtype to) {
  const std::size_t count = elements.size() / item_size(from);
  std::vector<std::byte> result(count * item_size(to));
  convert(result.data(), to, elements.data(), from, count);
  return result;
}

// Whether another type has these numbers: they come back from it, and did not wrap around.
bool keeps(Dtype from, Dtype by, const std::vector<std::byte>& elements) {
  const auto there = converted(elements, from, by);
  return converted(there, by, from) == elements &&
         converted(there, by, Dtype::float64) == converted(elements, from, Dtype::float64);
}

TEST(Casts, AreMergedWhereTheFirstKeepsEveryNumber) {
  using enum Dtype;
  constexpr Dtype types[] = {boolean, int8,   uint8,   int16,    uint16,  int32,  uint32,
                             int64,   uint64, float16, bfloat16, float32, float64};
  Random random;
  const auto numbers_of_type = [&](Dtype dtype) {
    std::vector<std::byte> elements(512 * item_size(dtype));
    for (std::byte& one : elements) one = static_cast<std::byte>(random.below(dtype == boolean ? 2 : 256));
    // Numbers of floating-point types are finite: the bits of a NaN may change.
    for (std::size_t i = item_size(dtype); info(dtype).kind == DtypeKind::real_float && i <= elements.size();
         i += item_size(dtype))
      elements[i - 1] &= std::byte{0xBF};
    return elements;
  };
  for (const Dtype from : types) {
    const std::vector<std::byte> elements = numbers_of_type(from);
    for (const Dtype by : types) {
      for (const Dtype last : {from, int8, int64, float32, float64}) {
        if (by == from || last == by) continue;
        const bool is_merged = keeps(from, by, elements) && keeps(from, last, elements);
        const Graph graph =
            through({cast("x", "a", by), cast("a", "b", last), node("Identity", {"b"}, {"y"})}, {}, value_info("x", from, {2}));
        const std::int64_t count = simplify(graph).count(Pass::merge_casts);
        EXPECT_EQ(count, is_merged ? 1 : 0) << info(from).name << ", " << info(by).name << ", " << info(last).name;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::casts_test
