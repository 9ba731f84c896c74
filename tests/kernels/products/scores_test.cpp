#include "kernels/products/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::scores_test {
namespace {

template <class T>
constexpr Dtype dtype_of = sizeof(T) == 4 ? Dtype::float32 : Dtype::float64;
template <class T>
constexpr double precision = sizeof(T) == 4 ? 1e-6 : 1e-15;

// exp(scores) over the sum of these and `others`.
template <class T>
std::vector<double> softmax(const std::vector<T>& scores, double others) {
  double sum = others;
  for (const T score : scores) sum += std::exp(static_cast<double>(score));
  std::vector<double> weights;
  for (const T score : scores) weights.push_back(std::exp(static_cast<double>(score)) / sum);
  return weights;
}

template <class T>
void expect_steps() {
  Random random;
  for (std::size_t count = 1; count < 40; ++count) {
    const auto scores = random_items<T>(random, count, -5, 5);
    const auto added = random_items<T>(random, count, -5, 5);
    std::vector<T> capped = scores;
    cap_scores(address(capped), dtype_of<T>, count, 2);
    std::vector<T> sums = scores;
    add_to_scores(address(sums), address(added), dtype_of<T>, count);
    std::vector<T> scaled(count);
    scale_numbers(address(scaled), address(scores), dtype_of<T>, count, 0.3);
    std::vector<T> weights(count);
    ASSERT_TRUE(succeeds(softmax_of_scores(address(weights), address(scores), dtype_of<T>, count)));
    const double sink = random.real(-5, 5);
    std::vector<T> lessened = weights;
    give_to_sink(address(lessened), address(scores), dtype_of<T>, count, sink);
    const std::vector<double> wanted = softmax(scores, 0);
    const std::vector<double> rest = softmax(scores, std::exp(sink));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_NEAR(capped[i], 2 * std::tanh(static_cast<double>(scores[i]) / 2), 2 * precision<T>);
      ASSERT_EQ(sums[i], scores[i] + added[i]);
      ASSERT_EQ(scaled[i], scores[i] * static_cast<T>(0.3));
      ASSERT_NEAR(weights[i], wanted[i], precision<T>) << count << " scores";
      ASSERT_NEAR(lessened[i], rest[i], precision<T>) << count << " scores, sink " << sink;
    }
  }
}

TEST(Scores, AreCappedMaskedScaledAndBecomeWeightsInBothTypes) {
  expect_steps<float>();
  expect_steps<double>();
}

TEST(Scores, AreAllMaskedIfEachNumberIsMinusInfinity) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> added(5, -infinity);
  EXPECT_TRUE(are_all_masked(address(added), Dtype::float64, 5));
  added[4] = infinity;
  EXPECT_FALSE(are_all_masked(address(added), Dtype::float64, 5));
  EXPECT_TRUE(are_all_masked(address(added), Dtype::float64, 4));
  const std::vector<float> floats(3, -static_cast<float>(infinity));
  EXPECT_TRUE(are_all_masked(address(floats), Dtype::float32, 3));
}

TEST(RotatePairs, AdjacentAndDistantPairsAreRotatedAlsoInPlace) {
  Random random;
  for (std::size_t half = 0; half < 20; ++half) {
    for (const bool are_adjacent : {false, true}) {
      const auto from = random_items<float>(random, 2 * half, -1, 1);
      const auto cosines = random_items<float>(random, half, -1, 1);
      const auto sines = random_items<float>(random, half, -1, 1);
      std::vector<float> to(2 * half);
      rotate_pairs(to.data(), from.data(), cosines.data(), sines.data(), half, are_adjacent);
      std::vector<float> in_place = from;
      rotate_pairs(in_place.data(), in_place.data(), cosines.data(), sines.data(), half, are_adjacent);
      ASSERT_TRUE(have_same_bits(in_place, to));
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t first = are_adjacent ? 2 * i : i;
        const std::size_t second = are_adjacent ? 2 * i + 1 : half + i;
        ASSERT_EQ(to[first], cosines[i] * from[first] - sines[i] * from[second]);
        ASSERT_EQ(to[second], sines[i] * from[first] + cosines[i] * from[second]);
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::scores_test
