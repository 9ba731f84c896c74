#include "kernels/reduce/fold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "support/canaries.h"

namespace broadloom::test::fold_test {
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

// With a limit at each place of the row in turn.
template <class T>
void expect_integer_row(Operation operation, Dtype dtype) {
  using Limits = std::numeric_limits<T>;
  using Unsigned = std::make_unsigned_t<T>;
  constexpr T others[] = {static_cast<T>(Limits::max() / 2 + 1), 3, 0, static_cast<T>(-1), 77};
  const IntegerRow row = integer_row_of(operation, dtype);
  ASSERT_NE(row, nullptr);
  for (const std::size_t count : counts_around_vectors(128)) {
    const T limit = count % 2 == 0 ? Limits::max() : Limits::min();
    for (std::size_t place = 0; place <= count; ++place) {
      const std::size_t misalignment = misalignments[place % std::size(misalignments)];
      Guarded from(count * sizeof(T), misalignment);
      Guarded to(sizeof(T), misalignment);
      T wanted = place == count ? limit : others[count % std::size(others)];
      std::memcpy(to.data(), &wanted, sizeof wanted);
      for (std::size_t i = 0; i < count; ++i) {
        const T value = i == place ? limit : others[(i * 7 + count) % std::size(others)];
        std::memcpy(from.data() + i * sizeof value, &value, sizeof value);
        wanted = operation == Operation::add ? static_cast<T>(static_cast<Unsigned>(wanted) + static_cast<Unsigned>(value))
                                             : combined(operation, wanted, value);
      }
      row(to.data(), from.data(), count);
      ASSERT_EQ(read<T>(to.data()), wanted) << count << " of " << info(dtype).name << ", the limit at " << place;
      ASSERT_TRUE(to.intact());
    }
  }
}

TEST(Fold, ARowOfIntegersOfAnyCountJoinsAResult) {
  expect_integer_row<std::int32_t>(Operation::add, Dtype::int32);
  expect_integer_row<std::int64_t>(Operation::add, Dtype::int64);
  for (const Operation operation : {Operation::minimum, Operation::maximum}) {
    expect_integer_row<std::int8_t>(operation, Dtype::int8);
    expect_integer_row<std::uint8_t>(operation, Dtype::uint8);
    expect_integer_row<std::int32_t>(operation, Dtype::int32);
  }
}

// Elements whose sums and products are rounded.
template <class T>
T rounded_at(std::size_t i) {
  return static_cast<T>(1 + std::sin(static_cast<double>(i) * 1.7) / 3);
}

// Columns of elements, and each as a row.
template <class T>
void expect_columns(Dtype dtype) {
  constexpr Operation all[] = {Operation::add, Operation::multiply, Operation::minimum, Operation::maximum};
  const T shift = 0;
  for (std::size_t count : counts_around_vectors(16)) {
    for (const std::size_t rows : {1, 2, 3, 4, 5, 7, 9, 13, 16, 17, 24, 31, 32, 33, 40, 65, 129, 200, 512}) {
      if (count == 0 || (rows > 40 && count > 21)) continue;
      const std::size_t step = count + 3;
      Guarded from(rows * step * sizeof(T), 1);
      std::vector<std::ptrdiff_t> offsets(rows);
      for (std::size_t k = 0; k < rows; ++k) {
        // The rows lie in another order.
        offsets[k] = static_cast<std::ptrdiff_t>((k + 1) % rows * step * sizeof(T));
        for (std::size_t i = 0; i < count; ++i) {
          const T value = rounded_at<T>(k * count + i);
          std::memcpy(from.data() + offsets[k] + static_cast<std::ptrdiff_t>(i * sizeof value), &value, sizeof value);
        }
      }
      for (const Operation operation : all) {
        const Fold fold = fold_of(operation, dtype);
        Guarded to(count * sizeof(T), 7);
        fold.columns(to.data(), from.data(), offsets.data(), rows, count);
        std::vector<T> dense(rows * count);
        for (std::size_t k = 0; k < rows * count; ++k) dense[k] = rounded_at<T>(k);
        Guarded also(count * sizeof(T), 3);
        fold.dense_columns(also.data(), reinterpret_cast<const std::byte*>(dense.data()), rows, count);
        ASSERT_EQ(std::memcmp(also.data(), to.data(), count * sizeof(T)), 0) << count << " columns of " << rows;
        for (std::size_t i = 0; i < count; ++i) {
          std::vector<T> row(rows);
          for (std::size_t k = 0; k < rows; ++k) row[k] = rounded_at<T>(k * count + i);
          T wanted = 0;
          fold.row(reinterpret_cast<std::byte*>(&wanted), reinterpret_cast<const std::byte*>(row.data()),
                   reinterpret_cast<const std::byte*>(&shift), rows);
          ASSERT_EQ(read<T>(to.data() + i * sizeof(T)), wanted) << "column " << i << " of " << count << ", rows: " << rows;
        }
        ASSERT_TRUE(to.intact());
      }
    }
  }
}

TEST(Fold, ColumnsHaveTheBitsOfRows) {
  expect_columns<float>(Dtype::float32);
  expect_columns<double>(Dtype::float64);
}

TEST(Fold, ExtremesAreNanIfAnyElementIs) {
  for (const std::size_t place : {0U, 5U, 31U, 39U, 42U}) {
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

TEST(Fold, SumsBeginWithPositiveZero) {
  for (const std::size_t rows : {1, 5, 33}) {
    const std::vector<float> zeros(rows, -0.0F);
    const float shift = 0;
    float result = 1;
    fold_of(Operation::add, Dtype::float32)
        .row(reinterpret_cast<std::byte*>(&result), reinterpret_cast<const std::byte*>(zeros.data()),
             reinterpret_cast<const std::byte*>(&shift), rows);
    EXPECT_FALSE(std::signbit(result));
  }
}

template <class T>
void expect_negative_zeros(Dtype dtype) {
  std::vector<T> zeros(Fold::most + 2, T{-0.0});
  const auto* from = reinterpret_cast<const std::byte*>(zeros.data());
  for (const Operation operation : {Operation::minimum, Operation::maximum}) {
    T result = 1;
    fold_of(operation, dtype).all(reinterpret_cast<std::byte*>(&result), from, zeros.size());
    EXPECT_TRUE(result == 0 && std::signbit(result));
  }
  zeros[0] = 1;
  T result = 1;
  fold_of(Operation::multiply, dtype).all(reinterpret_cast<std::byte*>(&result), from, Fold::most + 2);
  EXPECT_TRUE(result == 0 && std::signbit(result)) << "an odd number of negative elements";
  fold_of(Operation::multiply, dtype).all(reinterpret_cast<std::byte*>(&result), from, Fold::most + 1);
  EXPECT_TRUE(result == 0 && !std::signbit(result));
}

TEST(Fold, NegativeZerosOfManyBlocksStayNegative) {
  expect_negative_zeros<float>(Dtype::float32);
  expect_negative_zeros<double>(Dtype::float64);
}

TEST(Fold, OtherOperationsAndTypesHaveNoFold) {
  for (const Fold& fold : {fold_of(Operation::subtract, Dtype::float32), fold_of(Operation::add, Dtype::int32)}) {
    EXPECT_EQ(fold.row, nullptr);
    EXPECT_EQ(fold.squares, nullptr);
    EXPECT_EQ(fold.columns, nullptr);
  }
  EXPECT_EQ(fold_of(Operation::maximum, Dtype::float64).squares, nullptr);
}

}  // namespace
}  // namespace broadloom::test::fold_test
