#include "kernels/sound/mix.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::mix_test {
namespace {

template <class T>
void expect_means() {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t channels = random.below(7) + 1;
    const std::size_t count = random.below(20);
    const bool is_interleaved = random.one_in(2);
    const ChannelPlaces places{channels, is_interleaved ? channels : 1, is_interleaved ? 1 : count + 1};
    const auto from =
        random_items<T>(random, channels * (count + 1), std::is_integral_v<T> ? -32768 : -1, std::is_integral_v<T> ? 32767 : 1);
    std::vector<float> to(count);
    mix(to.data(), from.data(), count, places);
    for (std::size_t i = 0; i < count; ++i) {
      float sum = 0;
      for (std::size_t channel = 0; channel < channels; ++channel) {
        const auto sample = static_cast<float>(from[i * places.step + channel * places.channel_step]);
        sum += std::is_integral_v<T> ? sample / 32768 : sample;
      }
      ASSERT_EQ(to[i], sum / static_cast<float>(channels)) << channels << " channels of " << count;
    }
  }
}

TEST(Mix, EachMomentIsTheMeanOfItsChannelsInTheirOrder) {
  expect_means<float>();
  expect_means<std::int16_t>();
}

}  // namespace
}  // namespace broadloom::test::mix_test
