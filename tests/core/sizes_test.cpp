// Arithmetic on sizes that are numbers, as in a run.
#include <gtest/gtest.h>

#include <vector>

#include "core/expressions.h"

namespace broadloom::test::sizes_test {
namespace {

const Sizes sizes(nullptr);

TEST(Sizes, QuotientsOfNumbersRoundDownAndUp) {
  struct Case {
    std::int64_t a;
    std::int64_t b;
    std::int64_t down;
    std::int64_t up;
  };
  for (const Case& one : {Case{7, 2, 3, 4}, Case{-7, 2, -4, -3}, Case{7, -2, -4, -3}, Case{-7, -2, 3, 4}, Case{6, 2, 3, 3},
                          Case{-6, 2, -3, -3}, Case{0, 5, 0, 0}}) {
    EXPECT_EQ(sizes.floor_divide(one.a, one.b), one.down) << one.a << " / " << one.b;
    EXPECT_EQ(sizes.ceil_divide(one.a, one.b), one.up) << one.a << " / " << one.b;
  }
}

TEST(Sizes, NumbersThatNoInt64HoldsAreUnknown) {
  EXPECT_TRUE(sizes.add(INT64_MAX, 1).is_unknown());
  EXPECT_TRUE(sizes.subtract(INT64_MIN, 1).is_unknown());
  EXPECT_TRUE(sizes.multiply(INT64_MAX, 2).is_unknown());
  EXPECT_TRUE(sizes.floor_divide(INT64_MIN, -1).is_unknown());
  EXPECT_TRUE(sizes.ceil_divide(INT64_MIN, -1).is_unknown());
  EXPECT_TRUE(sizes.floor_divide(1, 0).is_unknown());
  EXPECT_TRUE(sizes.ceil_divide(1, 0).is_unknown());
}

TEST(Sizes, ExtremesOfNumbersAreNumbers) {
  EXPECT_EQ(sizes.minimum(-3, 2), -3);
  EXPECT_EQ(sizes.maximum(-3, 2), 2);
  EXPECT_EQ(sizes.product(std::vector<Size>{2, 3, 7}), 42);
  EXPECT_EQ(sizes.multiply(0, unknown_size), 0);
}

}  // namespace
}  // namespace broadloom::test::sizes_test
