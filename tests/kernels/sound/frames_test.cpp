#include "kernels/sound/frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::frames_test {
namespace {

using Vectors = std::vector<Lanes<float>>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Goes back and forth between the ends.
float sample_at(const FramedSound& sound, std::int64_t i) {
  const std::int64_t last = sound.length - 1;
  while (i < 0 || i > last) {
    if (sound.edge == Edge::zeros) return 0;
    const std::int64_t twice = sound.edge == Edge::symmetric ? 1 : 0;
    if (last == 0) i = 0;
    if (i < 0) i = -i - twice;
    if (i > last) i = 2 * last - i + twice;
  }
  return i < sound.given ? sound.samples[i] : 0;
}

TEST(ReadFrames, FramesBeginAtEqualStepsAndGoOnBeyondTheSoundAsItsEdgeSays) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const std::int64_t length = random.between(1, 60);
    const std::int64_t given = random.between(0, length);
    const auto samples = random_items<float>(random, static_cast<std::size_t>(given), -1, 1);
    const FramedSound sound{samples.data(), given, length, static_cast<Edge>(random.below(3))};
    const std::size_t size = random.below(20) + 1;
    const std::int64_t start = random.between(-30, length);
    const std::int64_t step = random.between(1, 12);
    Vectors to(size);
    std::vector<float> buffer(size * frames_at_once);
    read_frames(to.data(), sound, start, step, size, buffer.data());
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t frame = 0; frame < frames_at_once; ++frame) {
        const std::int64_t at = start + static_cast<std::int64_t>(frame) * step + static_cast<std::int64_t>(i);
        ASSERT_EQ(to[i][frame], sample_at(sound, at)) << "sample " << at << " of " << given << " and " << length;
      }
    }
  }
}

TEST(Frames, AreMultipliedAndBecomePowersAndLogarithms) {
  Random random;
  const auto numbers = random_items<float>(random, 40, -2, 2);
  const auto factors = random_items<float>(random, 10, -1, 1);
  Vectors frames(10);
  std::memcpy(frames.data(), numbers.data(), 40 * sizeof(float));
  Vectors products = frames;
  multiply(products.data(), factors.data(), 10);
  Vectors powers(5), magnitudes(5);
  write_powers(powers.data(), frames.data(), 5, false);
  write_powers(magnitudes.data(), frames.data(), 5, true);
  Vectors logarithms = frames;
  Vectors limited = frames;
  logarithms[0][0] = nan;
  take_logarithms(logarithms.data(), 10, {0.5F, 0.25F, 10});
  take_logarithms(limited.data(), 10, {0.5F, 0.25F, 0});
  EXPECT_TRUE(std::isnan(logarithms[0][0]));
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t frame = i % 4;
    EXPECT_EQ(products[i / 4][frame], numbers[i] * factors[i / 4]);
    const float x = std::max(numbers[i] + 0.5F, 0.25F);
    EXPECT_EQ(limited[i / 4][frame], x);
    if (i > 0) EXPECT_NEAR(logarithms[i / 4][frame], 10 * std::log(x), 2e-6);
    if (i >= 20) continue;
    const float re = frames[i / 4 * 2][frame];
    const float im = frames[i / 4 * 2 + 1][frame];
    EXPECT_EQ(powers[i / 4][frame], re * re + im * im);
    EXPECT_EQ(magnitudes[i / 4][frame], std::sqrt(re * re + im * im));
  }
}

TEST(Frames, TheirNumbersAreWrittenAsRowsOrColumns) {
  Random random;
  for (std::size_t count = 1; count < 12; ++count) {
    for (std::size_t frames = 1; frames <= frames_at_once; ++frames) {
      const auto numbers = random_items<float>(random, 4 * count, -1, 1);
      Vectors lanes(count);
      std::memcpy(lanes.data(), numbers.data(), 4 * count * sizeof(float));
      const std::size_t row = count + 2;
      const std::size_t column = frames + 2;
      std::vector<float> rows(frames * row, 77), columns(count * column, 77);
      write_rows(rows.data(), row, lanes.data(), count, frames);
      write_columns(columns.data(), column, lanes.data(), count, frames);
      for (std::size_t i = 0; i < rows.size(); ++i)
        ASSERT_EQ(rows[i], i % row < count ? lanes[i % row][i / row] : 77) << count << " numbers of " << frames;
      for (std::size_t i = 0; i < columns.size(); ++i)
        ASSERT_EQ(columns[i], i % column < frames ? lanes[i / column][i % column] : 77) << count << " numbers of " << frames;
    }
  }
}

TEST(Frames, TheLargestNumberIsNoNanAndTheFinalScaleHasALowerBound) {
  Random random;
  EXPECT_EQ(largest(nullptr, 0), -std::numeric_limits<float>::infinity());
  for (std::size_t count = 1; count < 20; ++count) {
    auto numbers = random_items<float>(random, count, -1, 1);
    std::vector<float> scaled = numbers;
    apply_scale(scaled.data(), count, {-0.5F, 4, 0.25F});
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(scaled[i], (std::max(numbers[i], -0.5F) + 4) * 0.25F);
    const std::size_t place = random.below(count);
    numbers[place] = nan;
    float most = -std::numeric_limits<float>::infinity();
    for (const float number : numbers) most = std::isnan(number) ? most : std::max(most, number);
    ASSERT_EQ(largest(numbers.data(), count), most) << "NaN at " << place << " of " << count;
  }
}

}  // namespace
}  // namespace broadloom::test::frames_test
