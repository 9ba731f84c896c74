#include "kernels/order/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support/expect.h"
#include "support/random.h"

namespace broadloom::test::order_test {
namespace {

// The indices of numbers in order: NaNs are above infinity, and equal numbers stay in their order.
std::vector<std::int64_t> naive(const std::vector<float>& numbers, bool is_lowest) {
  const auto place = [&](std::int64_t i) {
    const float number = numbers[static_cast<std::size_t>(i)];
    return std::isnan(number) ? std::pair(1, 0.0F) : std::pair(0, number);
  };
  std::vector<std::int64_t> indices(numbers.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::int64_t a, std::int64_t b) { return is_lowest ? place(a) < place(b) : place(b) < place(a); });
  return indices;
}

std::vector<std::int64_t> highest(const std::vector<float>& numbers, std::size_t count, std::size_t step, bool is_lowest) {
  const auto* from = reinterpret_cast<const std::byte*>(numbers.data());
  const std::size_t size = (numbers.size() + step - 1) / step;
  std::vector<Ranked> found(room_of_highest(count, size));
  const NumberRow row{from, static_cast<std::ptrdiff_t>(step * sizeof(float)), size, Dtype::float32};
  must(find_highest(found.data(), count, row, is_lowest));
  std::vector<std::int64_t> indices(count);
  std::transform(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), indices.begin(),
                 [](const Ranked& item) { return item.index; });
  return indices;
}

std::vector<float> random_numbers(Random& random, std::size_t count) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float special[] = {0.0F, -0.0F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e-45F};
  const double range = random.one_in(2) ? 3 : 1e9;
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = random.one_in(20) ? special[random.below(std::size(special))] : static_cast<float>(random.between(-3, 3));
    if (range > 3 && !random.one_in(10)) number = static_cast<float>(random.real(-range, range));
  }
  return numbers;
}

std::vector<float> in_order(const std::vector<float>& numbers) {
  std::vector<float> result;
  for (const std::int64_t i : naive(numbers, true)) result.push_back(numbers[static_cast<std::size_t>(i)]);
  return result;
}

TEST(Order, TheHighestNumbersAreThoseOfAStableSort) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + random.below(random.one_in(4) ? 3000 : 300);
    std::vector<float> numbers = random_numbers(random, size);
    if (random.one_in(5)) numbers = in_order(numbers);
    const std::size_t count = 1 + random.below(random.one_in(2) ? size : std::min<std::size_t>(size, 20));
    for (const bool is_lowest : {false, true}) {
      std::vector<std::int64_t> wanted = naive(numbers, is_lowest);
      wanted.resize(count);
      ASSERT_EQ(highest(numbers, count, 1, is_lowest), wanted) << count << " of " << size << ", lowest: " << is_lowest;
    }
  }
}

TEST(Order, NumbersMayBeApart) {
  const std::vector<float> numbers{3, 9, 1, 9, 2, 9, 3};
  EXPECT_EQ(highest(numbers, 3, 2, false), (std::vector<std::int64_t>{0, 3, 2}));
  EXPECT_EQ(highest(numbers, 4, 2, true), (std::vector<std::int64_t>{1, 2, 0, 3}));
}

TEST(Order, RankingKeepsEqualKeysInTheirOrder) {
  Random random;
  for (const std::size_t size : {0U, 1U, 2U, 31U, 32U, 33U, 1000U}) {
    for (const unsigned bits : {1U, 9U, 64U}) {
      std::vector<Ranked> items(size);
      for (std::size_t i = 0; i < size; ++i) {
        const auto key = static_cast<std::uint64_t>(random.between(INT64_MIN, INT64_MAX)) >> (64 - bits);
        items[i] = {key, static_cast<std::int64_t>(i)};
      }
      std::vector<Ranked> wanted = items;
      std::stable_sort(wanted.begin(), wanted.end(), [](const Ranked& a, const Ranked& b) { return a.key > b.key; });
      std::vector<Ranked> scratch(size);
      must(rank(items, scratch.data()));
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(items[i].key, wanted[i].key) << i << " of " << size << ", " << bits << " bits";
        ASSERT_EQ(items[i].index, wanted[i].index) << i << " of " << size << ", " << bits << " bits";
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::order_test
