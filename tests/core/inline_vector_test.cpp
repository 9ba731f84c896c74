#include "core/inline_vector.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace broadloom::inline_vector_test {
namespace {

using Vector = InlineVector<int, 4>;
constexpr std::size_t sizes[] = {0, 1, 3, 4, 5, 9, 100};

std::vector<int> numbers(std::size_t size, int first = 10) {
  std::vector<int> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = first + static_cast<int>(i);
  return values;
}

Vector vector_of(const std::vector<int>& values) { return Vector(std::span<const int>(values)); }

std::vector<int> list(const Vector& vector) { return {vector.begin(), vector.end()}; }

// Hides from the compiler that both are the same vector.
Vector& alias(Vector& vector) { return vector; }

TEST(InlineVector, HoldsItsValuesOnBothSidesOfTheCapacity) {
  for (const std::size_t size : sizes) {
    const Vector vector = vector_of(numbers(size));
    EXPECT_EQ(vector.size(), size);
    EXPECT_EQ(vector.empty(), size == 0);
    EXPECT_EQ(list(vector), numbers(size));
    EXPECT_EQ(vector.values().size(), size);
  }
}

TEST(InlineVector, FillsWithOneValueAndWithZeroByDefault) {
  for (const std::size_t size : sizes) {
    EXPECT_EQ(list(Vector(size, 7)), std::vector<int>(size, 7));
    EXPECT_EQ(list(Vector(size)), std::vector<int>(size, 0));
  }
}

TEST(InlineVector, ElementsCanBeWritten) {
  for (const std::size_t size : {std::size_t{4}, std::size_t{5}}) {
    Vector vector = vector_of(numbers(size));
    vector[0] = -1;
    vector.back() = -2;
    EXPECT_EQ(vector[0], -1);
    EXPECT_EQ(vector[size - 1], -2);
    EXPECT_EQ(vector[1], 11);
  }
}

TEST(InlineVector, ACopyIsIndependentOfItsOriginal) {
  for (const std::size_t size : sizes) {
    Vector original = vector_of(numbers(size));
    Vector copy(original);
    EXPECT_EQ(list(copy), numbers(size));
    for (int& value : copy) value = 0;
    EXPECT_EQ(list(original), numbers(size));
  }
}

TEST(InlineVector, CopyAssignmentReplacesAnySizeByAnySize) {
  for (const std::size_t from : sizes) {
    for (const std::size_t to : sizes) {
      const Vector source = vector_of(numbers(from));
      Vector target = vector_of(numbers(to, 500));
      target = source;
      EXPECT_EQ(list(target), numbers(from)) << from << " to " << to;
      EXPECT_EQ(list(source), numbers(from));
    }
  }
}

TEST(InlineVector, MoveAssignmentReplacesAnySizeByAnySize) {
  for (const std::size_t from : sizes) {
    for (const std::size_t to : sizes) {
      Vector source = vector_of(numbers(from));
      Vector target = vector_of(numbers(to, 500));
      target = std::move(source);
      EXPECT_EQ(list(target), numbers(from)) << from << " to " << to;
    }
  }
}

TEST(InlineVector, AMoveLeavesAnEmptyVectorThatCanBeUsedAgain) {
  for (const std::size_t size : sizes) {
    Vector source = vector_of(numbers(size));
    const Vector target(std::move(source));
    EXPECT_EQ(list(target), numbers(size));
    EXPECT_EQ(source.size(), 0U);  // NOLINT(bugprone-use-after-move): the subject of this test
    source = vector_of(numbers(6));
    EXPECT_EQ(list(source), numbers(6));
  }
}

TEST(InlineVector, SelfAssignmentChangesNothing) {
  for (const std::size_t size : sizes) {
    Vector vector = vector_of(numbers(size));
    vector = alias(vector);
    EXPECT_EQ(list(vector), numbers(size));
    vector = std::move(alias(vector));
    EXPECT_EQ(list(vector), numbers(size));
  }
}

TEST(InlineVector, EqualMeansSameSizeAndSameValues) {
  EXPECT_EQ(vector_of(numbers(3)), vector_of(numbers(3)));
  EXPECT_EQ(vector_of(numbers(9)), vector_of(numbers(9)));
  EXPECT_EQ(Vector(), Vector{});
  EXPECT_FALSE(vector_of(numbers(4)) == vector_of(numbers(5)));
  EXPECT_FALSE(vector_of(numbers(5)) == vector_of(numbers(5, 11)));
}

}  // namespace
}  // namespace broadloom::inline_vector_test
