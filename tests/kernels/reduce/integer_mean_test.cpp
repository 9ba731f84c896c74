#include "kernels/reduce/integer_mean.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "support/random.h"

namespace broadloom::integer_mean_test {
namespace {

__extension__ using Wide = __int128;

// The mean of all values, combined from parts.
template <class T>
T mean_of(const std::vector<T>& values) {
  std::vector<std::int64_t> high(values.size()), low(values.size());
  split_integers(high.data(), low.data(), reinterpret_cast<const std::byte*>(values.data()), values.size(),
                 std::is_signed_v<T>);
  std::int64_t sums[2] = {};
  for (const std::int64_t part : high) sums[0] += part;
  for (const std::int64_t part : low) sums[1] += part;
  T mean;
  means_of_sums(reinterpret_cast<std::byte*>(&mean), &sums[0], &sums[1], 1, static_cast<std::int64_t>(values.size()));
  return mean;
}

template <class T>
void expect_exact_means(std::mt19937_64& random) {
  for (int round = 0; round < 5000; ++round) {
    std::vector<T> values(1 + random() % 9);
    const auto shift = static_cast<int>(random() % 64);
    Wide sum = 0;
    for (T& value : values) {
      value = static_cast<T>(static_cast<T>(random()) >> shift);
      sum += value;
    }
    ASSERT_EQ(mean_of(values), static_cast<T>(sum / static_cast<Wide>(values.size()))) << "round " << round;
  }
}

TEST(IntegerMean, RandomIntegersHaveTheMeanOf128BitSums) {
  const std::uint64_t seed = test::seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  expect_exact_means<std::int64_t>(random);
  expect_exact_means<std::uint64_t>(random);
}

TEST(IntegerMean, TheMeanOfALimitIsTheLimit) {
  for (const std::size_t count : {1U, 2U, 3U, 1000U}) {
    EXPECT_EQ(mean_of(std::vector(count, INT64_MAX)), INT64_MAX);
    EXPECT_EQ(mean_of(std::vector(count, INT64_MIN)), INT64_MIN);
    EXPECT_EQ(mean_of(std::vector(count, UINT64_MAX)), UINT64_MAX);
  }
  EXPECT_EQ(mean_of(std::vector<std::int64_t>{-1, 0}), 0);
  EXPECT_EQ(mean_of(std::vector<std::int64_t>{-3, 0}), -1);
}

template <class T>
bool fit(const std::vector<T>& values, std::int64_t elements) {
  return sums_fit(reinterpret_cast<const std::byte*>(values.data()), values.size(), elements, std::is_signed_v<T>);
}

TEST(IntegerMean, SumsFitWhereTheLargestElementsDo) {
  constexpr std::int64_t third = INT64_MAX / 3;
  EXPECT_TRUE(fit<std::int64_t>({0, 1000, -1000}, 3));
  EXPECT_TRUE(fit<std::int64_t>({0, (std::int64_t{1} << 61) - 1, -(std::int64_t{1} << 61)}, 3));
  EXPECT_FALSE(fit<std::int64_t>({0, 0, third + 1}, 3));
  EXPECT_FALSE(fit<std::int64_t>({0, -third - 2, 0}, 3));
  EXPECT_FALSE(fit<std::int64_t>({INT64_MIN}, 1));
  EXPECT_TRUE(fit<std::uint64_t>({0, 1000}, 2));
  EXPECT_FALSE(fit<std::uint64_t>({0, UINT64_MAX}, 2));
  EXPECT_FALSE(fit<std::uint64_t>({std::uint64_t{1} << 63}, 1));
}

}  // namespace
}  // namespace broadloom::integer_mean_test
