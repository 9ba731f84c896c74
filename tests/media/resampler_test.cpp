#include "media/resampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "media/sound.h"
#include "support/random.h"

namespace broadloom::resampler_test {
namespace {

Tensor sound_of(const std::vector<float>& samples) {
  Tensor tensor = *make_tensor(Dtype::float32, {static_cast<std::int64_t>(samples.size())});
  std::copy(samples.begin(), samples.end(), reinterpret_cast<float*>(tensor.data()));
  return tensor;
}

std::vector<float> elements_of(const Tensor& tensor) {
  const auto* const at = reinterpret_cast<const float*>(tensor.data());
  return {at, at + tensor.count()};
}

std::vector<float> random_samples(std::mt19937& random, std::size_t count) {
  std::vector<float> samples(count);
  for (float& sample : samples) sample = std::uniform_real_distribution<float>(-1, 1)(random);
  return samples;
}

std::vector<float> in_pieces(Resampler& resampler, const std::vector<float>& samples, std::mt19937& random, std::size_t most) {
  std::vector<float> results;
  const auto grow = [&](std::size_t count) {
    results.resize(results.size() + count);
    return results.data() + results.size() - count;
  };
  for (std::size_t done = 0; done < samples.size();) {
    const std::size_t count = std::min<std::size_t>(random() % (most + 1), samples.size() - done);
    float* const room = *resampler.reserve(count);
    std::copy_n(samples.data() + done, count, room);
    const std::size_t results_now = resampler.results_after(count);
    resampler.run(grow(results_now), count);
    done += count;
  }
  const std::size_t rest = resampler.results_at_end();
  resampler.finish(grow(rest));
  return results;
}

TEST(Resampler, PiecesGiveTheBitsOfTheWholeSound) {
  const std::uint64_t seed = test::seed();
  std::mt19937 random(seed);
  for (const auto& [from, to] : {std::pair(48000.0, 16000.0),
                                 {44100, 16000},
                                 {8000, 16000},
                                 {44100.5, 16000},
                                 {1, 200.3},
                                 {250.7, 1},
                                 {16000, 16000},
                                 {0x1p-1000, 0x3p-1000},
                                 {1e300, 1.1e300}}) {
    auto resampler = *Resampler::make(from, to);
    for (const std::size_t count : {0U, 1U, 2U, 500U, 20000U}) {
      const std::vector<float> samples = random_samples(random, to > 100 * from ? count / 100 : count);
      const std::vector<float> whole = elements_of(*from_audio(sound_of(samples), {from, to, 1, false}));
      EXPECT_EQ(in_pieces(*resampler, samples, random, 700), whole) << from << " to " << to << ", seed " << seed;
    }
  }
}

TEST(Resampler, LengthsAreTheRatioRoundedUp) {
  for (const auto& [from, to] : {std::pair(3.0, 7.0), {7, 3}, {44100, 16000}, {100.25, 33.5}}) {
    const auto resampler = *Resampler::make(from, to);
    for (std::uint32_t count = 0; count < 300; ++count) {
      EXPECT_EQ(resampler->results_of(count), static_cast<std::uint64_t>(std::ceil(count * to / from)));
    }
  }
}

TEST(Resampler, LengthsOfHugeSoundsAreExact) {
  const auto resampler = *Resampler::make(44100, 16000);
  EXPECT_EQ(resampler->results_of(std::size_t{441} << 32), std::uint64_t{160} << 32);
  EXPECT_EQ(resampler->results_of((std::size_t{441} << 32) + 1), (std::uint64_t{160} << 32) + 1);
}

TEST(Resampler, RatesThatAreNoRatesFail) {
  for (const double rate : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_FALSE(Resampler::make(rate, 1));
    EXPECT_FALSE(Resampler::make(1, rate));
  }
  EXPECT_FALSE(Resampler::make(1, 257));
  EXPECT_TRUE(Resampler::make(256, 1));
}

TEST(Sound, ChannelsAreMixedToTheirMean) {
  const Tensor sound = sound_of({1, 3, 2, -2, 3, 0});
  EXPECT_EQ(elements_of(*from_audio(sound, {1, 1, 2, false})), (std::vector<float>{2, 0, 1.5}));
  EXPECT_EQ(elements_of(*from_audio(sound, {1, 1, 2, true})), (std::vector<float>{-0.5, 3, 1}));
  EXPECT_FALSE(from_audio(sound, {1, 1, 4, false}));
  for (const double channels : {std::nan(""), 0.0, 1.5, -2.0, 0x1p32}) EXPECT_FALSE(from_audio(sound, {1, 1, channels, false}));
}

}  // namespace
}  // namespace broadloom::resampler_test
