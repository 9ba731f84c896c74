#include "kernels/convolution/paired_depthwise.h"

#include <gtest/gtest.h>

#include "kernels/products/pairs.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::paired_depthwise_test {
namespace {

TEST(PairedDepthwise, PackedFiltersLessTheirZeroPointsGiveExactSums) {
  constexpr std::size_t beyond = 16;  // elements that two vectors more may read
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Dtype dtype = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const std::size_t windows = random.below(9) + 1;
    const std::size_t taps = random.below(10) + 1;
    const std::size_t channels = random.below(30) + 1;
    const std::size_t pixels = 20;
    const auto image = random_items<std::int16_t>(random, pixels * channels + beyond, -255, 255);
    const auto elements = random_items<std::uint8_t>(random, taps * channels, 0, 255);  // channels, taps
    const auto zeros = random_items<std::int32_t>(random, channels, -128, 127);
    const auto bias = random_items<std::int32_t>(random, channels + beyond, -1000, 1000);

    std::vector<std::int16_t> packed(pairs_of(taps) * 2 * channels);
    const std::size_t first = random.below(channels);
    for (std::size_t tap = 0; tap < taps; ++tap) {
      const Matrix matrix{address(elements) + tap, static_cast<std::ptrdiff_t>(taps), 0};
      pack_paired_filters(address(packed), matrix, tap, 0, first, channels, dtype);
      pack_paired_filters(address(packed), matrix.at(first, 0), tap, first, channels - first, channels, dtype);
    }
    std::vector<std::int16_t> filters(packed.size() + beyond);
    subtract_from_filters(address(filters), address(packed), zeros.data(), taps, channels);

    std::vector<std::size_t> pixel(taps * windows);
    std::vector<const std::byte*> at;
    for (std::size_t& number : pixel) {
      number = random.below(pixels);
      at.push_back(address(image) + number * channels * 2);
    }
    std::vector<std::int32_t> to(windows * channels);
    write_paired_depthwise(address(to), {at.data(), windows, windows, taps, channels, address(filters), address(bias)});
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t channel = i % channels;
      std::int32_t wanted = bias[channel];
      for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::uint8_t bits = elements[channel * taps + tap];
        const int element = dtype == Dtype::int8 ? static_cast<std::int8_t>(bits) : bits;
        const int factor = element - offset_of(dtype) - zeros[channel];
        wanted += image[pixel[tap * windows + i / channels] * channels + channel] * factor;
      }
      ASSERT_EQ(to[i], wanted) << windows << " windows, " << taps << " taps, " << channels << " channels";
    }
  }
}

}  // namespace
}  // namespace broadloom::test::paired_depthwise_test
