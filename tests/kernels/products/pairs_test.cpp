#include "kernels/products/pairs.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::pairs_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

int element_of(std::uint8_t bits, Dtype dtype) { return dtype == Dtype::int8 ? static_cast<std::int8_t>(bits) : bits; }

TEST(Widen, ElementsLoseTheirZeroPointInBothTypes) {
  Random random;
  for (const Dtype dtype : {Dtype::int8, Dtype::uint8}) {
    for (std::size_t count = 0; count < 70; ++count) {
      const Bytes from = random_items<std::uint8_t>(random, count, 0, 255);
      const int zero = element_of(static_cast<std::uint8_t>(random.below(256)), dtype);
      std::vector<std::int16_t> to(count);
      widen(address(to), address(from), dtype, zero, count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(to[i], element_of(from[i], dtype) - zero) << i << " of " << count;
    }
  }
}

TEST(PackPairs, EachPanelHasTwoSummedElementsOfEachColumnSideBySide) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Dtype dtype = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const std::size_t columns = random.below(30) + 1;
    const std::size_t sums = random.below(40) + 1;
    const std::size_t start = random.below(2);  // pairs may lie at odd addresses
    const bool is_turned = random.one_in(2);
    const std::size_t row = (is_turned ? columns : sums) + random.below(3);
    const Bytes from = random_items<std::uint8_t>(random, start + row * (is_turned ? sums : columns), 0, 255);
    const Matrix matrix{address(from) + start, static_cast<std::ptrdiff_t>(is_turned ? 1 : row),
                        static_cast<std::ptrdiff_t>(is_turned ? row : 1)};
    const std::size_t pitch = pairs_of(sums) * pair_panel_step + 5;
    Bytes to((columns + pair_panel_columns - 1) / pair_panel_columns * pitch, 0xCA);
    const std::size_t first = random.below(sums);
    pack_pairs(address(to), pitch, matrix, columns, 0, first, dtype);
    pack_pairs(address(to), pitch, matrix.at(0, first), columns, first, sums - first, dtype);
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t column = j / pair_panel_columns * pitch + j % pair_panel_columns * 2;
      for (std::size_t k = 0; k < 2 * pairs_of(sums); ++k) {
        const int packed = static_cast<std::int8_t>(to[column + k / 2 * pair_panel_step + k % 2]);
        const int wanted = k == sums
                               ? static_cast<std::int8_t>(0xCA)
                               : element_of(std::to_integer<std::uint8_t>(*matrix.at(j, k).from), dtype) - offset_of(dtype);
        ASSERT_EQ(packed, wanted) << columns << " columns of " << sums << " in two parts, the second one from " << first;
      }
    }
    for (std::size_t end = pitch; end <= to.size(); end += pitch) ASSERT_EQ(to[end - 1], 0xCA) << "between panels";
  }
}

TEST(SubtractZeros, EachSumLosesTheZeroPointOfItsColumnTimesTheSumOfItsRow) {
  Random random;
  for (int round = 0; round < cases() / 4; ++round) {
    const std::size_t rows = random.below(4) + 1;
    const std::size_t columns = random.below(20);
    const std::size_t taps = random.below(3) + 1;
    const std::size_t depth = random.below(30);
    const auto elements = random_items<std::int16_t>(random, taps * rows * (depth + 1), -255, 255);
    const auto zeros = random_items<std::int32_t>(random, columns, -128, 127);
    auto to = random_items<std::int32_t>(random, rows * columns, -1000, 1000);
    std::vector<std::int32_t> wanted = to;
    std::vector<const std::byte*> at;
    for (std::size_t i = 0; i < taps * rows; ++i) at.push_back(address(elements) + i * (depth + 1) * 2);
    for (std::size_t i = 0; i < rows; ++i) {
      std::int32_t sum = 0;
      for (std::size_t tap = 0; tap < taps; ++tap) {
        for (std::size_t k = 0; k < depth; ++k) sum += elements[(tap * rows + i) * (depth + 1) + 1 + k];
      }
      for (std::size_t j = 0; j < columns; ++j) wanted[i * columns + j] -= zeros[j] * sum;
    }
    subtract_zeros({address(to), columns * 4, false}, {at.data(), rows, taps, rows, 2}, depth, zeros.data(), columns);
    ASSERT_EQ(to, wanted);
  }
}

TEST(AreAny, OneNumberOtherThanZeroIsEnough) {
  std::vector<std::int32_t> numbers(9);
  EXPECT_FALSE(are_any(numbers.data(), 9));
  numbers[8] = -1;
  EXPECT_FALSE(are_any(numbers.data(), 8));
  EXPECT_TRUE(are_any(numbers.data(), 9));
}

}  // namespace
}  // namespace broadloom::test::pairs_test
