#include "media/log_mel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "media/fbank.h"
#include "support/random.h"

namespace broadloom::log_mel_test {
namespace {

Tensor random_sound(std::mt19937& random, std::int64_t count) {
  Tensor tensor = *make_tensor(Dtype::float32, {count});
  auto* const to = reinterpret_cast<float*>(tensor.data());
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::uniform_real_distribution<float>(-1, 1)(random);
  return tensor;
}

std::vector<float> elements_in(const Tensor& tensor) {
  const auto* const at = reinterpret_cast<const float*>(tensor.data());
  return {at, at + tensor.count()};
}

LogMelForm small_form() {
  LogMelForm form{};
  form.sample_rate = 8000;
  form.fft_length = form.window_length = 64;
  form.hop_length = 16;
  form.is_periodic = form.is_centered = true;
  form.edge = Edge::reflect;
  form.power = 2;
  form.mel_bins = 7;
  form.max_frequency = 4000;
  form.range = std::numeric_limits<double>::infinity();
  form.result_scale = form.sample_scale = 1;
  form.length = -1;
  return form;
}

// A frame of the reflected sound, transformed by its sums.
std::vector<double> powers_of_frame(const std::vector<float>& sound, const LogMelForm& form, std::int64_t start) {
  const auto length = static_cast<std::int64_t>(form.fft_length);
  const auto window = static_cast<std::int64_t>(form.window_length);
  const auto count = static_cast<std::int64_t>(sound.size());
  std::vector<double> powers;
  for (std::int64_t k = 0; k <= length / 2; ++k) {
    double re = 0;
    double im = 0;
    for (std::int64_t i = 0; i < window; ++i) {
      std::int64_t at = start + (length - window) / 2 + i;
      while (at < 0 || at >= count) at = at < 0 ? -at : 2 * (count - 1) - at;
      const double turn = 2 * std::numbers::pi / static_cast<double>(window) * static_cast<double>(i);
      const double sample = sound[static_cast<std::size_t>(at)] * (0.5 - 0.5 * std::cos(turn));
      const double angle = 2 * std::numbers::pi * static_cast<double>(k * i % length) / static_cast<double>(length);
      re += sample * std::cos(angle);
      im += sample * std::sin(angle);
    }
    powers.push_back(re * re + im * im);
  }
  return powers;
}

TEST(LogMel, OneBinOfAllFrequenciesIsTheirSumUnderATriangle) {
  const std::uint64_t seed = test::seed();
  std::mt19937 random(seed);
  for (const double fft_length : {64.0, 63.0, 34.0, 17.0, 37.0, 128.0}) {
    LogMelForm form = small_form();
    form.fft_length = fft_length;
    form.window_length = fft_length - (fft_length > 40 ? 5 : 0);
    form.mel_bins = 1;
    for (const std::int64_t count : {2, 5, 100, 333}) {
      const Tensor sound = random_sound(random, count);
      const std::vector<float> found = elements_in(*log_mel(sound, form));
      const auto half = static_cast<std::int64_t>(fft_length) / 2;
      EXPECT_EQ(found.size(), static_cast<std::size_t>(1 + (count + 2 * half - static_cast<std::int64_t>(fft_length)) / 16));
      const double peak = 200.0 / 3 * (15 + 27 * std::log(4.0) / std::log(6.4)) / 2;
      const double center = peak < 1000 ? peak : 1000 * std::exp((peak * 3 / 200 - 15) * std::log(6.4) / 27);
      for (std::size_t frame = 0; frame < found.size(); ++frame) {
        const auto powers = powers_of_frame(elements_in(sound), form, static_cast<std::int64_t>(frame) * 16 - half);
        double sum = 0;
        for (std::size_t k = 0; k < powers.size(); ++k) {
          const double f = 8000 * static_cast<double>(k) / fft_length;
          sum += powers[k] * std::max(0.0, std::min(f / center, (4000 - f) / (4000 - center)));
        }
        EXPECT_NEAR(found[frame], sum, 1e-4 * sum + 1e-4) << fft_length << " of " << count << ", seed " << seed;
      }
    }
  }
}

TEST(LogMel, EachRowOfFramesFirstIsAColumn) {
  std::mt19937 random(1);
  const Tensor sound = random_sound(random, 300);
  LogMelForm form = small_form();
  const std::vector<float> columns = elements_in(*log_mel(sound, form));
  form.has_frames_first = true;
  const std::vector<float> rows = elements_in(*log_mel(sound, form));
  const std::size_t frames = rows.size() / 7;
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], columns[i % 7 * frames + i / 7]);
}

TEST(LogMel, TheRangeIsBelowTheLargestElement) {
  std::mt19937 random(2);
  LogMelForm form = small_form();
  form.log = LogName::log10;
  form.floor = 1e-10;
  form.range = 1.5;
  form.offset = 4;
  form.result_scale = 0.25;
  const std::vector<float> found = elements_in(*log_mel(random_sound(random, 1000), form));
  const auto [least, most] = std::minmax_element(found.begin(), found.end());
  EXPECT_GE(*least, *most - 0.3750001F);
}

TEST(LogMel, ALengthBeyondTheSoundIsSilence) {
  std::mt19937 random(3);
  LogMelForm form = small_form();
  form.length = 4000;
  const std::vector<float> found = elements_in(*log_mel(random_sound(random, 10), form));
  EXPECT_EQ(found.size(), 7 * 251U);
  EXPECT_GT(found.front(), 0);
  EXPECT_EQ(found.back(), 0);
}

TEST(LogMel, ASoundShorterThanAFrameHasNone) {
  LogMelForm form = small_form();
  form.is_centered = false;
  for (const std::int64_t count : {0, 63}) {
    const Tensor result = *log_mel(*make_tensor(Dtype::float32, {count}), form);
    EXPECT_EQ(result.run_dims()[0], 7);
    EXPECT_EQ(result.run_dims()[1], 0);
  }
}

TEST(LogMel, WrongSamplesFail) {
  EXPECT_FALSE(log_mel(*make_tensor(Dtype::float32, {2, 2}), small_form()));
  EXPECT_FALSE(log_mel(*make_tensor(Dtype::float64, {2}), small_form()));
  EXPECT_FALSE(log_mel(*make_tensor(Dtype::float32, {0}), small_form()));
}

TEST(Fbank, FramesAreThoseWithinTheSound) {
  std::mt19937 random(4);
  FbankForm form{};
  form.sample_rate = 16000;
  form.frame_length = 25;
  form.frame_shift = 10;
  form.preemphasis = 0.97;
  form.window = WindowName::povey;
  form.rounds_to_power_of_two = form.snips_edges = form.uses_power = form.uses_log = form.removes_dc_offset = true;
  form.mel_bins = 23;
  form.low_frequency = 20;
  form.sample_scale = 1;
  const Tensor sound = random_sound(random, 2000);
  const std::vector<float> snipped = elements_in(*filter_bank_features(sound, form));
  EXPECT_EQ(snipped.size(), 11 * 23U);
  form.uses_energy = true;
  const std::vector<float> with_energy = elements_in(*filter_bank_features(sound, form));
  for (std::size_t i = 0; i < snipped.size(); ++i) EXPECT_EQ(with_energy[i / 23 * 24 + i % 23 + 1], snipped[i]);
  for (const double floor : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    form.energy_floor = floor;
    EXPECT_FALSE(filter_bank_features(sound, form));
  }
  form.energy_floor = 0;
  form.snips_edges = false;
  for (const std::int64_t count : {0, 1, 79, 80, 401}) {
    EXPECT_EQ((*filter_bank_features(random_sound(random, count), form)).run_dims()[0], (count + 80) / 160);
  }
}

}  // namespace
}  // namespace broadloom::log_mel_test
