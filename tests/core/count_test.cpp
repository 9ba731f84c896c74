#include "core/tensor.h"
#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test::count_test {
namespace {

constexpr std::int64_t two_to(int exponent) { return std::int64_t{1} << exponent; }

void expect_count(const List& dims, std::int64_t count) {
  const auto result = checked_count(dims);
  ASSERT_TRUE(succeeds(result)) << testing::PrintToString(dims);
  EXPECT_EQ(*result, count) << testing::PrintToString(dims);
  EXPECT_EQ(count_of(dims), count) << testing::PrintToString(dims);
}

TEST(CheckedCount, IsTheProductOfTheDims) {
  expect_count({7}, 7);
  expect_count({2, 3, 4}, 24);
  expect_count({1, 1, 5, 1}, 5);
}

TEST(CheckedCount, AScalarHasOneElement) { expect_count({}, 1); }

TEST(CheckedCount, AZeroAnywhereGivesZero) {
  expect_count({0}, 0);
  expect_count({0, 3, 4}, 0);
  expect_count({3, 0, 4}, 0);
  expect_count({3, 4, 0}, 0);
  expect_count({0, 0}, 0);
}

TEST(CheckedCount, ReachesTheLargestCountExactly) {
  expect_count({max_count}, max_count);
  expect_count({6361, 69431, 20394401}, max_count);  // the prime factors of 2^53 - 1
  expect_count({two_to(52)}, two_to(52));
}

TEST(CheckedCount, OneMoreThanTheLargestIsRefused) {
  for (const List& dims : {List{two_to(53)}, List{two_to(26), two_to(27)}, List{two_to(52), 2}, List{2, two_to(52)},
                           List{INT64_MAX}, List{two_to(32), two_to(32)}, List{INT64_MAX, INT64_MAX, INT64_MAX}, List(64, 2)}) {
    EXPECT_TRUE(fails(checked_count(dims), Code::InvalidArgument, "too many elements")) << testing::PrintToString(dims);
  }
}

TEST(CheckedCount, AZeroDoesNotHideAnOverflowInAnyOrder) {
  for (const List& dims : {List{0, two_to(40), two_to(40)}, List{two_to(40), 0, two_to(40)}, List{two_to(40), two_to(40), 0}}) {
    EXPECT_TRUE(fails(checked_count(dims), Code::InvalidArgument, "too many elements")) << testing::PrintToString(dims);
  }
}

TEST(CheckedCount, AZeroBesideLargeDimsThatFitGivesZeroInAnyOrder) {
  expect_count({0, max_count}, 0);
  expect_count({max_count, 0}, 0);
  expect_count({two_to(26), 0, two_to(26)}, 0);
}

TEST(CheckedCount, ANegativeDimIsRefusedByItsAxis) {
  EXPECT_TRUE(fails(checked_count(List{2, -3}), Code::InvalidArgument, "dims [2, -3]: axis 1 is -3"));
  EXPECT_TRUE(fails(checked_count(List{-1}), Code::InvalidArgument, "axis 0 is -1"));
  EXPECT_TRUE(fails(checked_count(List{INT64_MIN}), Code::InvalidArgument, "axis 0"));
}

TEST(CheckedCount, ANumberThatIsReservedForSymbolicSizesIsANegativeDim) {
  for (const std::int64_t dim : {Size::highest_reserved, Size::highest_reserved - 1, Size::highest_reserved - two_to(31)}) {
    EXPECT_TRUE(fails(checked_count(List{dim}), Code::InvalidArgument, "axis 0 is " + std::to_string(dim)));
    EXPECT_TRUE(fails(checked_count(List{0, dim}), Code::InvalidArgument, "axis 1 is"));
  }
}

TEST(CheckedCount, SizesThatOverflowedAreTooManyElements) {
  EXPECT_TRUE(fails(checked_count(SymbolicDims{2, unknown_size}.values()), Code::InvalidArgument,
                    "dims [2, ?] have too many elements"));
  EXPECT_EQ(*checked_count(SymbolicDims{2, 3}.values()), 6);
}

TEST(CheckSizes, SymbolicSizesDoNotHideThoseThatFail) {
  EXPECT_TRUE(succeeds(check_sizes(SymbolicDims{unknown_size, 3}.values())));
  EXPECT_TRUE(fails(check_sizes(SymbolicDims{unknown_size, -3}.values()), Code::InvalidArgument, "dims [?, -3]: axis 1 is -3"));
  EXPECT_TRUE(fails(check_sizes(SymbolicDims{two_to(30), unknown_size, two_to(30)}.values()), Code::InvalidArgument,
                    "too many elements"));
}

TEST(CheckedCount, TwoNegativesDoNotMakeAPositive) {
  EXPECT_TRUE(fails(checked_count(List{-2, -3}), Code::InvalidArgument, "negative"));
}

TEST(CheckedCount, AZeroDoesNotHideANegative) {
  EXPECT_TRUE(fails(checked_count(List{0, -1}), Code::InvalidArgument, "negative"));
  EXPECT_TRUE(fails(checked_count(List{-1, 0}), Code::InvalidArgument, "negative"));
}

TEST(DenseBytes, WholeByteTypesTakeTheirItemSize) {
  EXPECT_EQ(*dense_bytes(Dtype::float32, 5), 20);
  EXPECT_EQ(*dense_bytes(Dtype::complex128, 3), 48);
  EXPECT_EQ(*dense_bytes(Dtype::boolean, 3), 3);
  EXPECT_EQ(*dense_bytes(Dtype::string, 3), 24);
  EXPECT_EQ(*dense_bytes(Dtype::float64, 0), 0);
}

TEST(DenseBytes, PackedTypesAreRoundedUpToWholeBytes) {
  for (const auto& [count, bytes] : {std::pair{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}}) {
    EXPECT_EQ(*dense_bytes(Dtype::int4, count), bytes) << count;
    EXPECT_EQ(*dense_bytes(Dtype::float4e2m1, count), bytes) << count;
  }
  for (const auto& [count, bytes] : {std::pair{0, 0}, {1, 1}, {3, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}}) {
    EXPECT_EQ(*dense_bytes(Dtype::uint2, count), bytes) << count;
  }
  EXPECT_EQ(*dense_bytes(Dtype::int4, max_count), two_to(52));
}

TEST(DenseBytes, BytesBeyondTheLargestCountAreOutOfMemory) {
  EXPECT_EQ(*dense_bytes(Dtype::float32, max_count / 4), max_count / 4 * 4);
  EXPECT_TRUE(fails(dense_bytes(Dtype::float32, max_count / 4 + 1), Code::OutOfMemory, "float32"));
  EXPECT_TRUE(fails(dense_bytes(Dtype::complex128, max_count), Code::OutOfMemory, "complex128"));
  EXPECT_EQ(*dense_bytes(Dtype::uint8, max_count), max_count);
}

}  // namespace
}  // namespace broadloom::test::count_test
