#include "kernels/fold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/canaries.h"

namespace broadloom::test {
namespace {

constexpr Operation operations[] = {Operation::add, Operation::minimum, Operation::maximum};

template <class T>
T combined(Operation operation, T a, T b) {
  return operation == Operation::add ? a + b : operation == Operation::minimum ? std::min(a, b) : std::max(a, b);
}

// Small whole numbers: their sums are exact in any order.
template <class T>
T value_at(std::size_t i) {
  return static_cast<T>(static_cast<int>(i * 7 % 23) - 11);
}

template <class T>
Guarded values(std::size_t count, std::size_t misalignment) {
  Guarded result(count * sizeof(T), misalignment);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = value_at<T>(i);
    std::memcpy(result.data() + i * sizeof value, &value, sizeof value);
  }
  return result;
}

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void expect_rows(Dtype dtype) {
  const T shift = 3;
  const auto* shift_bytes = reinterpret_cast<const std::byte*>(&shift);
  for (std::size_t count : counts_around_vectors(Fold::most / 2)) {
    if (count == 0 || count > Fold::most) continue;
    for (const std::size_t misalignment : misalignments) {
      Guarded from = values<T>(count, misalignment);
      for (const Operation operation : operations) {
        T wanted = value_at<T>(0);
        for (std::size_t i = 1; i < count; ++i) wanted = combined(operation, wanted, value_at<T>(i));
        Guarded to(sizeof(T), misalignment);
        fold_of(operation, dtype).row(to.data(), from.data(), shift_bytes, count);
        ASSERT_EQ(read<T>(to.data()), wanted) << count;
        ASSERT_TRUE(to.intact());
      }
      T squares = 0;
      for (std::size_t i = 0; i < count; ++i) squares += (value_at<T>(i) - shift) * (value_at<T>(i) - shift);
      Guarded to(sizeof(T), misalignment);
      fold_of(Operation::add, dtype).squares(to.data(), from.data(), shift_bytes, count);
      ASSERT_EQ(read<T>(to.data()), squares) << count;
    }
  }
}

TEST(Fold, ARowOfAnyCountBecomesOneElement) {
  expect_rows<float>(Dtype::float32);
  expect_rows<double>(Dtype::float64);
}

template <class T>
void expect_columns(Dtype dtype) {
  for (std::size_t count : counts_around_vectors(16)) {
    for (std::size_t rows = 0; rows <= 3; ++rows) {
      const std::size_t step = count + 3;
      Guarded from = values<T>(step * 3, 1);
      for (const Operation operation : operations) {
        Guarded to = values<T>(count, 7);
        fold_of(operation, dtype).columns(to.data(), from.data(), step * sizeof(T), rows, count);
        for (std::size_t i = 0; i < count; ++i) {
          T wanted = value_at<T>(i);
          for (std::size_t k = 0; k < rows; ++k) wanted = combined(operation, wanted, value_at<T>(k * step + i));
          ASSERT_EQ(read<T>(to.data() + i * sizeof(T)), wanted) << count << " columns of " << rows;
        }
        ASSERT_TRUE(to.intact());
      }
    }
  }
}

TEST(Fold, ColumnsAreCombinedWithTheElementsThere) {
  expect_columns<float>(Dtype::float32);
  expect_columns<double>(Dtype::float64);
}

TEST(Fold, ExtremesAreNanIfAnyElementIs) {
  for (const std::size_t place : {0, 5, 31, 39, 42}) {
    std::vector<float> elements(43, 1);
    elements[place] = std::numeric_limits<float>::quiet_NaN();
    for (const Operation operation : operations) {
      float result = 0;
      const float shift = 0;
      fold_of(operation, Dtype::float32)
          .row(reinterpret_cast<std::byte*>(&result), reinterpret_cast<const std::byte*>(elements.data()),
               reinterpret_cast<const std::byte*>(&shift), elements.size());
      EXPECT_TRUE(std::isnan(result)) << place;
    }
  }
}

TEST(Fold, OtherOperationsAndTypesHaveNoFold) {
  for (const Fold& fold : {fold_of(Operation::multiply, Dtype::float32), fold_of(Operation::add, Dtype::int32)}) {
    EXPECT_EQ(fold.row, nullptr);
    EXPECT_EQ(fold.squares, nullptr);
    EXPECT_EQ(fold.columns, nullptr);
  }
  EXPECT_EQ(fold_of(Operation::maximum, Dtype::float64).squares, nullptr);
}

}  // namespace
}  // namespace broadloom::test
