#include "kernels/reduce/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/elementwise/program.h"
#include "kernels/reduce/reduce.h"
#include "support/expect.h"

namespace broadloom::softmax_test {
namespace {

std::byte* bytes_of(std::vector<float>& values) { return reinterpret_cast<std::byte*>(values.data()); }

// Softmax by a maximum, exponentials, a sum and products, one after the other.
std::vector<float> in_steps(std::vector<float> from, std::int64_t rows, std::int64_t length) {
  const Layout kept{{rows}, {length}};
  const Layout reduced{{length}, {1}};
  const LayoutRef all = dense_layout({rows, length});
  const LayoutRef each{Layout{{rows, length}, {1, 0}}};
  std::vector<float> statistic(static_cast<std::size_t>(rows));
  std::vector<float> to(from.size());
  test::must(reduce({.operation = Operation::maximum}, Dtype::float32, bytes_of(statistic), bytes_of(from), kept, reduced));
  Program exponentials;
  const auto x = exponentials.operand(Dtype::float32, bytes_of(from), all);
  const auto most = exponentials.operand(Dtype::float32, bytes_of(statistic), each);
  const auto shifted = exponentials.apply(Operation::subtract, x, most);
  EXPECT_TRUE(exponentials.run(exponentials.apply(Operation::exp, shifted), bytes_of(to), to.size()));
  test::must(reduce({.operation = Operation::add}, Dtype::float32, bytes_of(statistic), bytes_of(to), kept, reduced));
  for (float& sum : statistic) sum = 1 / sum;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] *= statistic[i / static_cast<std::size_t>(length)];
  return to;
}

void expect_same_bits(std::vector<float> from, std::size_t rows, std::size_t length) {
  const std::vector<float> wanted = in_steps(from, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(length));
  std::vector<float> found(from.size() + 1, -1);
  test::must(softmax_rows(bytes_of(found), bytes_of(from), rows, length));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool is_same = std::isnan(wanted[i]) ? std::isnan(found[i]) : std::memcmp(&wanted[i], &found[i], sizeof(float)) == 0;
    ASSERT_TRUE(is_same) << length << ", element " << i << ": " << found[i] << ", wanted " << wanted[i];
  }
  ASSERT_EQ(found.back(), -1) << length;
}

TEST(Softmax, RowsOfAnyLengthHaveTheBitsOfItsStepsOneAfterTheOther) {
  std::mt19937 random(1);
  for (const float range : {1.0F, 30.0F, 300.0F}) {
    std::uniform_real_distribution<float> values(-range, range);
    for (std::size_t length = 1; length <= 3000; length += length < 140 ? 1 : 221) {
      for (const std::size_t rows : {1U, 3U, 70U}) {
        std::vector<float> from(rows * length);
        for (float& value : from) value = values(random);
        expect_same_bits(from, rows, length);
      }
    }
  }
}

TEST(Softmax, LongRowsHaveTheBitsOfItsStepsOneAfterTheOther) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> values(-30, 30);
  for (const std::size_t length : {4096U, 16385U, 50257U}) {
    std::vector<float> from(2 * length);
    for (float& value : from) value = values(random);
    expect_same_bits(from, 2, length);
  }
}

TEST(Softmax, InfinitiesAndNaNsComeToWhatTheStepsMakeOfThem) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float lowest = std::numeric_limits<float>::lowest();
  for (const float special : {infinite, -infinite, std::numeric_limits<float>::quiet_NaN(), lowest, -0.0F}) {
    for (const std::size_t length : {1U, 2U, 3U, 4U, 5U, 12U, 33U, 64U, 67U}) {
      for (std::size_t place = 0; place < length; ++place) {
        std::vector<float> from(2 * length, 0.5F);
        from[place] = special;
        expect_same_bits(from, 2, length);
      }
      expect_same_bits(std::vector<float>(2 * length, special), 2, length);
    }
  }
}

}  // namespace
}  // namespace broadloom::softmax_test
