#include "kernels/convolution/depthwise.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::depthwise_test {
namespace {

template <class T>
void expect_plain_sums(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const std::size_t windows = random.below(12) + 1;
    const std::size_t taps = random.below(10) + 1;
    const std::size_t channels = random.below(30) + 1;
    const std::size_t distance = windows + random.below(3);
    const std::size_t pixels = 20;
    const auto image = random_items<T>(random, pixels * channels, -1, 1);
    const auto filters = random_items<T>(random, taps * channels, -1, 1);
    const auto bias = random_items<T>(random, channels, -1, 1);
    std::vector<std::size_t> pixel(taps * distance);
    std::vector<const std::byte*> at;
    for (std::size_t& number : pixel) {
      number = random.below(pixels);
      at.push_back(address(image) + number * channels * sizeof(T));
    }
    std::vector<T> to(windows * channels);
    write_depthwise_of(dtype)(address(to), {at.data(), distance, windows, taps, channels, address(filters), address(bias)});
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t channel = i % channels;
      T wanted = bias[channel];
      for (std::size_t tap = 0; tap < taps; ++tap)
        wanted += image[pixel[tap * distance + i / channels] * channels + channel] * filters[tap * channels + channel];
      ASSERT_EQ(to[i], wanted) << windows << " windows, " << channels << " channels";
    }
  }
}

TEST(Depthwise, EachSumBeginsWithTheBiasAndAddsTheProductsOfTheTapsInOrder) {
  expect_plain_sums<float>(Dtype::float32);
  expect_plain_sums<double>(Dtype::float64);
}

}  // namespace
}  // namespace broadloom::test::depthwise_test
