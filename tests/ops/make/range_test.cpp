#include <limits>

#include "support/calls.h"

namespace broadloom::op {
extern const Operator range;
}

namespace broadloom::test::range_test {
namespace {

template <class T>
Result<Tensor> range_of(Dtype dtype, T start, T limit, T delta, const std::vector<Given>& given = {},
                        std::int64_t opset = newest_opset) {
  const Tensor inputs[] = {tensor_of<T>(dtype, {}, {start}), tensor_of<T>(dtype, {}, {limit}),
                           tensor_of<T>(dtype, {}, {delta})};
  return call(range, {&inputs[0], &inputs[1], &inputs[2]}, given, opset);
}

TEST(Range, StopsBeforeTheLimit) {
  for (const std::int64_t opset : {11, 27}) {
    EXPECT_EQ(elements<std::int64_t>(must(range_of<std::int64_t>(Dtype::int64, 10, 4, -2, {}, opset))), (List{10, 8, 6}));
    EXPECT_EQ(elements<std::int32_t>(must(range_of<std::int32_t>(Dtype::int32, 0, 7, 3, {}, opset))),
              (std::vector<std::int32_t>{0, 3, 6}));
    EXPECT_EQ(elements<std::int16_t>(must(range_of<std::int16_t>(Dtype::int16, -3, 0, 2, {}, opset))),
              (std::vector<std::int16_t>{-3, -1}));
    EXPECT_EQ(elements<float>(must(range_of<float>(Dtype::float32, 1, 2.5F, 0.5F, {}, opset))),
              (std::vector<float>{1, 1.5F, 2}));
    EXPECT_EQ(elements<double>(must(range_of<double>(Dtype::float64, 1, 0, -0.25, {}, opset))),
              (std::vector<double>{1, 0.75, 0.5, 0.25}));
  }
}

TEST(Range, IsEmptyWhereTheStepLeadsAway) {
  EXPECT_EQ(list(must(range_of<std::int64_t>(Dtype::int64, 0, 5, -1)).dims()), (List{0}));
  EXPECT_EQ(list(must(range_of<float>(Dtype::float32, 5, 0, 1)).dims()), (List{0}));
  EXPECT_EQ(list(must(range_of<std::int64_t>(Dtype::int64, 3, 3, 1)).dims()), (List{0}));
  EXPECT_EQ(list(must(range_of<float>(Dtype::float32, 0, std::numeric_limits<float>::quiet_NaN(), 1)).dims()), (List{0}));
}

TEST(Range, LongOnesAreWholeAcrossBlocks) {
  const auto values = elements<std::int32_t>(must(range_of<std::int32_t>(Dtype::int32, 5, 5005, 5)));
  ASSERT_EQ(values.size(), 1000U);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<std::int32_t>(5 * i + 5));
}

TEST(Range, FromTheLeastToTheGreatestNumberNothingOverflows) {
  const std::int64_t step = std::int64_t{1} << 62;
  EXPECT_EQ(elements<std::int64_t>(must(range_of<std::int64_t>(Dtype::int64, INT64_MIN, INT64_MAX, step))),
            (List{INT64_MIN, -step, 0, step}));
  EXPECT_EQ(elements<std::int64_t>(must(range_of<std::int64_t>(Dtype::int64, INT64_MAX, INT64_MIN, INT64_MIN))),
            (List{INT64_MAX, -1}));
}

TEST(Range, HostileCountsAreRefused) {
  EXPECT_TRUE(fails(range_of<std::int64_t>(Dtype::int64, INT64_MIN, INT64_MAX, 1), Code::InvalidArgument,
                    "Range-27: has more than 2^53 - 1 elements"));
  EXPECT_TRUE(fails(range_of<double>(Dtype::float64, 0, 1e300, 1), Code::InvalidArgument, "more than 2^53 - 1 elements"));
  EXPECT_TRUE(
      fails(range_of<float>(Dtype::float32, 0, std::numeric_limits<float>::infinity(), 1), Code::InvalidArgument, "more than"));
  EXPECT_TRUE(fails(range_of<std::int64_t>(Dtype::int64, 0, std::int64_t{1} << 50, 1), Code::OutOfMemory));
  EXPECT_TRUE(fails(range_of<std::int64_t>(Dtype::int64, 0, 5, 0), Code::InvalidArgument, "delta is 0"));
  EXPECT_TRUE(fails(range_of<float>(Dtype::float32, 0, 5, 0), Code::InvalidArgument, "delta is 0"));
  const Tensor two = int64s({2}, {1, 2});
  const Tensor one = int64s({}, {1});
  EXPECT_TRUE(fails(call(range, {&one, &two, &one}), Code::InvalidArgument, "'limit' has dims [2], wanted one element"));
}

TEST(Range, HalvesAreComputedInTheStashType) {
  // Computed in float32 or float64, and rounded at the end.
  const auto halves = must(range_of<std::uint16_t>(Dtype::float16, 0, 0x3C00, 0x3400));
  EXPECT_EQ(elements<std::uint16_t>(halves), (std::vector<std::uint16_t>{0, 0x3400, 0x3800, 0x3A00}));
  for (const std::int64_t stash : {1, 11}) {
    EXPECT_EQ(elements<std::uint16_t>(
                  must(range_of<std::uint16_t>(Dtype::bfloat16, 0x3F80, 0x4040, 0x3F80, {int_attribute("stash_type", stash)}))),
              (std::vector<std::uint16_t>{0x3F80, 0x4000}));
  }
  EXPECT_TRUE(fails(range_of<std::uint16_t>(Dtype::float16, 0, 0x3C00, 0x3400, {int_attribute("stash_type", 10)}),
                    Code::InvalidArgument, "stash_type is 10, wanted 1 or 11"));
}

TEST(Range, BeforeARunTheCountIsAnExpression) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const OperatorVersion& version = *must(select_version(range, 11));
  const Tensor start = int64s({}, {0});
  Tensor limit = int64s({}, {n});
  Tensor delta = int64s({}, {2});
  const Tensor* in[] = {&start, &limit, &delta};
  const Attributes attributes;
  const Dtype types[] = {Dtype::int64};
  Tensor output;
  Call before{version, in, attributes, types, {&output, 1}, &expressions};
  must(range.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{expressions.ceil_divide(n, 2)}));
  delta = int64s({}, {1});
  must(range.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{n}));
  delta = Tensor{Dtype::int64, uniform_layout({})};
  must(range.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{unknown_size}));
  // A run takes one element of any rank.
  delta = int64s({}, {2});
  limit = int64s({1, 1, 1}, {n});
  must(range.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{unknown_size}));
  limit.layout = LayoutRef::unranked();
  must(range.prepare(before));
  EXPECT_EQ(SizeList(output.dims()), (SizeList{unknown_size}));
}

}  // namespace
}  // namespace broadloom::test::range_test
