#include "core/count.h"

#include <gtest/gtest.h>

#include <limits>

namespace broadloom::count_test {
namespace {

constexpr Count most(std::int64_t{1} << 62);

TEST(Count, ProductsAndSumsThatFitAreExact) {
  EXPECT_EQ(Count(65536) * 65536, Count(std::int64_t{1} << 32));
  EXPECT_EQ(Count(max_count) * 1, Count(max_count));
  EXPECT_EQ(Count(1) + max_count, Count(max_count + 1));
  EXPECT_EQ((Count(3) * 5 * 7).number(), 105);
}

TEST(Count, ProductsAndSumsThatDoNotFitStayBeyondAllMemory) {
  for (int bits = 31; bits < 62; ++bits) {
    const Count large(std::int64_t{1} << bits);
    const Count square = large * large;
    EXPECT_EQ(square, 2 * bits < 62 ? Count(std::int64_t{1} << (2 * bits)) : most) << bits;
    EXPECT_FALSE((square * large * large).is_addressable()) << bits;
  }
  EXPECT_EQ(most + most, most);
  EXPECT_EQ(most * most, most);
  EXPECT_EQ(Count(std::numeric_limits<std::int64_t>::max()) * 1, most);
  EXPECT_EQ(Count(std::numeric_limits<std::uint64_t>::max()), most);
}

TEST(Count, NothingTimesAnyNumberIsNothing) {
  EXPECT_EQ(most * 0, Count());
  EXPECT_EQ(Count() * most, Count());
}

TEST(Count, NumbersThatWereComputedAreRoundedDownAndNeverNegative) {
  EXPECT_EQ(Count::of(2.75), Count(2));
  EXPECT_EQ(Count::of(-3), Count());
  EXPECT_EQ(Count::of(std::numeric_limits<double>::quiet_NaN()), Count());
  EXPECT_EQ(Count::of(std::numeric_limits<double>::infinity()), most);
  EXPECT_EQ(Count::of(0x1p53), Count(max_count) + 1);
}

TEST(Count, AnAddressableNumberHas32BitsOnEveryMachine) {
  constexpr auto last = std::numeric_limits<std::uint32_t>::max();
  EXPECT_TRUE(Count(last).is_addressable());
  EXPECT_EQ(in_memory(Count(last)), std::size_t{last});
  EXPECT_FALSE((Count(last) + 1).is_addressable());
}

}  // namespace
}  // namespace broadloom::count_test
