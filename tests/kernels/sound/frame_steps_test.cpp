#include "kernels/sound/frame_steps.h"

#include <gtest/gtest.h>

#include "support/items.h"

namespace broadloom::test::frame_steps_test {
namespace {

using Vectors = std::vector<Lanes<float>>;

TEST(FrameSteps, SamplesAreScaledCentredAndPreemphasizedInEachLane) {
  Random random;
  for (std::size_t count = 1; count < 30; ++count) {
    const auto numbers = random_items<float>(random, 4 * count, -1, 1);
    Vectors scaled(count);
    std::memcpy(scaled.data(), numbers.data(), 4 * count * sizeof(float));
    Vectors centred = scaled;
    Vectors emphasized = scaled;
    prepare_frames(scaled.data(), count, {3, false});
    prepare_frames(centred.data(), count, {3, true});
    preemphasize(emphasized.data(), count, 0.97F);
    const Lanes<float> energy = energies(scaled.data(), count);
    for (std::size_t frame = 0; frame < lanes_of<float>; ++frame) {
      float sum = 0;
      float squares = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const float x = numbers[4 * i + frame];
        sum += x * 3;
        squares += (x * 3) * (x * 3);
        ASSERT_EQ(scaled[i][frame], x * 3);
        ASSERT_EQ(emphasized[i][frame], x - (i == 0 ? x : numbers[4 * (i - 1) + frame]) * 0.97F);
      }
      ASSERT_EQ(energy[frame], squares);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(centred[i][frame], scaled[i][frame] - sum / static_cast<float>(count));
    }
  }
}

TEST(SubtractMeans, EachColumnLosesItsMean) {
  Random random;
  const auto numbers = random_items<float>(random, 7 * 5, -1, 1);
  std::vector<float> centred = numbers;
  subtract_means(centred.data(), 7, 5);
  for (std::size_t column = 0; column < 5; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < 7; ++row) sum += static_cast<double>(numbers[row * 5 + column]);
    for (std::size_t row = 0; row < 7; ++row)
      EXPECT_EQ(centred[row * 5 + column], numbers[row * 5 + column] - static_cast<float>(sum / 7));
  }
}

}  // namespace
}  // namespace broadloom::test::frame_steps_test
