// limits.milliseconds ends what computes features of sounds and resamples them.
#include <gtest/gtest.h>

#include "core/limits.h"
#include "media/fbank.h"
#include "media/log_mel.h"
#include "media/sound.h"
#include "support/expect.h"
#include "support/tensors.h"

namespace broadloom::time_test {
namespace {

class SoundTime : public testing::Test {
 protected:
  void SetUp() override {
    // Each look at the clock takes a millisecond.
    Watch::set_clock([] {
      static double now = 0;
      return now += 1;
    });
    limits.milliseconds = 3;
    Watch::start();
  }
  void TearDown() override {
    limits = {};
    Watch::set_clock(nullptr);
    Watch::start();
  }
};

Tensor silence(std::int64_t samples) { return test::zeros(Dtype::float32, {samples}); }

LogMelForm spectrogram(double length, double hop) {
  LogMelForm form{};
  form.sample_rate = 16000;
  form.fft_length = form.window_length = length;
  form.hop_length = hop;
  form.power = 2;
  form.mel_bins = 8;
  form.max_frequency = 8000;
  form.floor = 1e-10;
  form.range = INFINITY;
  form.result_scale = form.sample_scale = 1;
  form.length = -1;
  return form;
}

TEST_F(SoundTime, ALogMelSpectrogramOfManyLongTransformsEnds) {
  EXPECT_TRUE(log_mel(silence(8000), spectrogram(400, 160)));
  Watch::start();
  EXPECT_TRUE(test::fails(log_mel(silence(1 << 17), spectrogram(1 << 16, 1)), Code::LimitExceeded));
}

TEST_F(SoundTime, AWindowThatWasNotWrittenToItsEndIsNotKept) {
  const Tensor sound = test::tensor_of<float>(Dtype::float32, {1 << 17}, std::vector<float>(1 << 17, 0.5F));
  const LogMelForm form = spectrogram(1 << 17, 1 << 17);
  limits = {};
  const auto whole = test::elements<float>(test::must(log_mel(sound, form)));
  EXPECT_TRUE(log_mel(silence(8000), spectrogram(400, 160)));  // which is kept then
  limits.milliseconds = 1;
  Watch::start();
  EXPECT_TRUE(test::fails(log_mel(sound, form), Code::LimitExceeded));
  limits = {};
  Watch::start();
  EXPECT_EQ(test::elements<float>(test::must(log_mel(sound, form))), whole);
}

TEST_F(SoundTime, FilterBankFeaturesOfManyLongFramesEnd) {
  FbankForm form{};
  form.sample_rate = 16000;
  form.frame_length = 4096;
  form.frame_shift = 1;
  form.rounds_to_power_of_two = form.snips_edges = true;
  form.mel_bins = 8;
  form.sample_scale = 1;
  EXPECT_TRUE(test::fails(filter_bank_features(silence(1 << 17), form), Code::LimitExceeded));
}

TEST_F(SoundTime, ResamplingOfAVeryLongSoundEnds) {
  EXPECT_TRUE(from_audio(silence(16000), {44100, 16000, 1, false}));
  Watch::start();
  EXPECT_TRUE(test::fails(from_audio(silence(1 << 21), {44100, 16000, 1, false}), Code::LimitExceeded));
}

}  // namespace
}  // namespace broadloom::time_test
