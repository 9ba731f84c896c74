#include "core/dims.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/lists.h"

namespace broadloom::test::dims_test {
namespace {

// More than eight values are allocated.
constexpr std::size_t most = 20;

List counting(std::size_t size) {
  List values(size);
  std::iota(values.begin(), values.end(), 100);
  return values;
}

TEST(Dims, ListsOfEveryLengthAreMadeOfTheirValues) {
  for (std::size_t size = 0; size <= most; ++size) {
    EXPECT_EQ(list(Dims(std::span<const std::int64_t>(counting(size)))), counting(size));
    EXPECT_EQ(list(Dims(size)), List(size, 0));
    EXPECT_EQ(list(Dims(size, 7)), List(size, 7));
  }
  EXPECT_EQ(list(Dims{3, 4}), (List{3, 4}));
  EXPECT_TRUE(Dims().empty());
}

TEST(Dims, ACopyIsIndependentOfItsOrigin) {
  for (std::size_t size = 1; size <= most; ++size) {
    Dims origin{std::span<const std::int64_t>(counting(size))};
    const Dims copy(origin);
    origin[size - 1] = -1;
    EXPECT_EQ(list(copy), counting(size));
  }
}

TEST(Dims, AssigningReplacesAListOfAnyLengthByOneOfAnyOther) {
  for (std::size_t before = 0; before <= most; ++before) {
    for (std::size_t after = 0; after <= most; ++after) {
      const Dims origin{std::span<const std::int64_t>(counting(after))};
      Dims copied(before, 1);
      copied = origin;
      EXPECT_EQ(list(copied), counting(after));
      Dims moved(before, 1);
      moved = std::move(copied);
      EXPECT_EQ(list(moved), counting(after));
      const Dims made(std::move(moved));
      EXPECT_EQ(list(made), counting(after));
      EXPECT_EQ(list(origin), counting(after));
    }
  }
}

TEST(Dims, AssigningAListToItselfKeepsIt) {
  for (const std::size_t size : {std::size_t{3}, most}) {
    Dims dims{std::span<const std::int64_t>(counting(size))};
    const Dims& same = dims;
    dims = same;
    EXPECT_EQ(list(dims), counting(size));
  }
}

TEST(Dims, ListsAreEqualWhenAllTheirValuesAre) {
  for (std::size_t size = 1; size <= most; ++size) {
    Dims a(size, 2);
    const Dims b(size, 2);
    EXPECT_TRUE(a == b);
    a[size - 1] = 3;
    EXPECT_FALSE(a == b);
    EXPECT_FALSE(b == Dims(size + 1, 2));
  }
}

}  // namespace
}  // namespace broadloom::test::dims_test
