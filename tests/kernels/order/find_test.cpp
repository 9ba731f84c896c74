#include "kernels/order/find.h"

#include <gtest/gtest.h>

#include "kernels/elementwise/convert.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::find_test {
namespace {

TEST(FindMarks, TheFirstOrLastMarkOfEachRowIsFoundAndARowWithoutOneIsTold) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const RowsOf rows{random.below(4) + 1, random.below(30) + 1, random.one_in(2) ? 1 : random.below(20) + 1};
    const bool is_last = random.one_in(2);
    std::vector<std::uint8_t> marks(rows.outer * rows.size * rows.inner);
    for (std::uint8_t& mark : marks) mark = random.one_in(5) ? 1 : 0;
    std::vector<std::int64_t> wanted;
    for (std::size_t row = 0; row < rows.outer * rows.inner; ++row) {
      std::int64_t number = -1;
      for (std::size_t k = 0; k < rows.size; ++k) {
        const bool is_marked = marks[(row / rows.inner * rows.size + k) * rows.inner + row % rows.inner] != 0;
        if (is_marked && (is_last || number < 0)) number = static_cast<std::int64_t>(k);
      }
      wanted.push_back(number);
    }
    std::vector<std::int64_t> to(wanted.size());
    const bool are_found = find_marks(to.data(), address(marks), rows, is_last);
    ASSERT_EQ(are_found, std::count(wanted.begin(), wanted.end(), -1) == 0);
    if (are_found) ASSERT_EQ(to, wanted) << "[" << rows.outer << ", " << rows.size << ", " << rows.inner << "]";
  }
}

TEST(WriteMarks, OneIsWrittenAtTheIndexOfEachRowInEveryFloatingPointType) {
  Random random;
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64}) {
    for (int round = 0; round < 20; ++round) {
      const RowsOf rows{random.below(4) + 1, random.below(7) + 1, random.below(5) + 1};
      const auto numbers = random_items<std::int64_t>(random, rows.outer * rows.inner, 0, static_cast<double>(rows.size - 1));
      const std::size_t count = rows.outer * rows.size * rows.inner;
      std::vector<std::uint8_t> marks(count * item_size(dtype), 0xCA);
      write_marks(address(marks), dtype, numbers.data(), rows);
      std::vector<double> values(count);
      convert(address(values), Dtype::float64, address(marks), dtype, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / rows.inner / rows.size * rows.inner + i % rows.inner;
        ASSERT_EQ(values[i], static_cast<std::size_t>(numbers[row]) == i / rows.inner % rows.size ? 1 : 0);
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::find_test
