// Sounds of any rates and options: there is a tensor or an error, and a sound that comes in pieces has the samples of the
// whole.
#include "media/sound.h"

#include "fuzz/outcomes.h"
#include "fuzz/reader.h"
#include "fuzz/target.h"
#include "media/fbank.h"
#include "media/log_mel.h"
#include "media/resampler.h"
#include "support/random.h"

namespace broadloom::fuzz {
namespace {

constexpr double telling_rates[] = {16000,  8000, 44100, 48000, 22050,  1,     2,        3,  7,
                                    999983, 0.5,  0,     -1,    1e-300, 1e300, HUGE_VAL, NAN};
constexpr double telling_numbers[] = {
    0, 1, 2, 16, 25, 80, 100, 160, 400, 512, 0.97, 0.5, -1, 1e-10, 32768, 1 << 20, (1 << 20) + 1, 1e300, -1e300, HUGE_VAL, NAN};

double rate(Reader& bytes) {
  return bytes.one_in(3) ? bytes.one_of(telling_rates) : static_cast<double>(bytes.between(1, 250));
}
// A number near the usual one.
double number(Reader& bytes, double usual) {
  switch (bytes.below(6)) {
    case 0: return bytes.one_of(telling_numbers);
    case 1: return static_cast<double>(bytes.between(0, 64));
    default: return usual;
  }
}
bool flag(Reader& bytes) { return bytes.below(2) == 1; }

// A few samples, of any bits now and then.
Tensor samples(Reader& bytes) {
  const Dtype dtype = bytes.one_in(16) ? static_cast<Dtype>(bytes.below(dtype_count) + 1)
                      : flag(bytes)    ? Dtype::int16
                                       : Dtype::float32;
  const std::int64_t count = bytes.one_in(8) ? static_cast<std::int64_t>(bytes.below(5000)) : bytes.between(0, 200);
  const test::List dims = bytes.one_in(16) ? test::List{2, count / 2} : test::List{count};
  Tensor tensor = test::zeros(dtype, test::dims_of(dims));
  test::Random random(bytes.word());
  const bool is_wild = bytes.one_in(8);
  if (dtype == Dtype::float32 && !is_wild) {
    std::generate_n(reinterpret_cast<float*>(tensor.data()), tensor.count(),
                    [&] { return static_cast<float>(random.real(-1, 1)); });
  } else if (dtype != Dtype::string) {
    for (std::size_t i = 0; i < tensor.storage->size(); ++i)
      tensor.data()[i] = std::byte(random.between(0, dtype == Dtype::boolean ? 1 : 255));
  }
  return tensor;
}

void resample(Reader& bytes) {
  const SoundForm form{rate(bytes), rate(bytes), bytes.one_in(4) ? number(bytes, 2) : 1, flag(bytes)};
  const Tensor sound = samples(bytes);
  if (sound.dtype != Dtype::float32 && sound.dtype != Dtype::int16) return;  // JavaScript gives no other
  if (!(form.to / form.from < 64)) return;                                   // each sample would make many
  const auto whole = from_audio(sound, form);
  note(whole ? "made" : "refused");
  if (!whole) return static_cast<void>(expect_proper_error(whole));
  EXPECT_EQ(whole->dtype, Dtype::float32);
  if (form.channels != 1 || sound.dtype != Dtype::float32) return;
  const auto made = Resampler::make(form.from, form.to);
  if (!made) return static_cast<void>(expect_proper_error(made));
  Resampler& resampler = **made;
  std::vector<float> results;
  const auto add = [&](std::size_t count, const auto& write) {
    const std::size_t before = results.size();
    results.resize(before + count + 1);
    results.back() = 4711;  // nobody writes here
    write(results.data() + before);
    EXPECT_EQ(results.back(), 4711);
    results.pop_back();
  };
  const auto* from = reinterpret_cast<const float*>(sound.data());
  for (std::int64_t left = sound.count(); left > 0;) {
    const auto count = static_cast<std::size_t>(std::min(left, bytes.is_at_end() ? left : bytes.between(0, 90)));
    const auto room = resampler.reserve(count);
    if (!room) return static_cast<void>(expect_proper_error(room));
    std::copy_n(from, count, *room);
    add(resampler.results_after(count), [&](float* to) { resampler.run(to, count); });
    from += count;
    left -= static_cast<std::int64_t>(count);
  }
  add(resampler.results_at_end(), [&](float* to) { resampler.finish(to); });
  const Tensor pieces = test::floats({static_cast<std::int64_t>(results.size())}, results);
  if (form.from != form.to) expect_same(pieces, *whole);
}

void take_log_mel(Reader& bytes) {
  LogMelForm form{};
  form.sample_rate = bytes.one_in(4) ? rate(bytes) : 16000;
  form.fft_length = number(bytes, 64);
  form.window_length = number(bytes, 64);
  form.hop_length = number(bytes, 16);
  form.window = static_cast<WindowName>(bytes.below(5));
  form.is_periodic = flag(bytes);
  form.is_centered = flag(bytes);
  form.edge = static_cast<Edge>(bytes.below(3));
  form.drops_last = flag(bytes);
  form.power = number(bytes, flag(bytes) ? 2 : 1);
  form.mel_bins = number(bytes, 8);
  form.min_frequency = number(bytes, 0);
  form.max_frequency = number(bytes, 8000);
  form.scale = static_cast<MelScale>(bytes.below(2));
  form.has_equal_areas = flag(bytes);
  form.log = static_cast<LogName>(bytes.below(4));
  form.floor = number(bytes, 1e-10);
  form.log_offset = number(bytes, 0);
  form.range = number(bytes, HUGE_VAL);
  form.offset = number(bytes, 0);
  form.result_scale = number(bytes, 1);
  form.sample_scale = number(bytes, 1);
  form.length = number(bytes, -1);
  form.has_frames_first = flag(bytes);
  const auto made = log_mel(samples(bytes), form);
  note(made ? "made" : "refused");
  if (!made) return static_cast<void>(expect_proper_error(made));
  EXPECT_EQ(made->dtype, Dtype::float32);
  EXPECT_EQ(made->dims().size(), 2U);
}

void take_fbank(Reader& bytes) {
  FbankForm form{};
  form.sample_rate = bytes.one_in(4) ? rate(bytes) : 16000;
  form.frame_length = number(bytes, 4);
  form.frame_shift = number(bytes, 1);
  form.preemphasis = number(bytes, 0.97);
  form.removes_dc_offset = flag(bytes);
  form.window = static_cast<WindowName>(bytes.below(5));
  form.rounds_to_power_of_two = flag(bytes);
  form.snips_edges = flag(bytes);
  form.mel_bins = number(bytes, 8);
  form.low_frequency = number(bytes, 20);
  form.high_frequency = number(bytes, 0);
  form.uses_energy = flag(bytes);
  form.has_raw_energy = flag(bytes);
  form.energy_floor = number(bytes, 1);
  form.uses_power = flag(bytes);
  form.uses_log = flag(bytes);
  form.subtracts_mean = flag(bytes);
  form.sample_scale = number(bytes, 1);
  const auto made = filter_bank_features(samples(bytes), form);
  note(made ? "made" : "refused");
  if (!made) return static_cast<void>(expect_proper_error(made));
  EXPECT_EQ(made->dtype, Dtype::float32);
}

void sound(std::string_view input) {
  Reader bytes(input);
  switch (bytes.below(3)) {
    case 0: return resample(bytes);
    case 1: return take_log_mel(bytes);
    default: return take_fbank(bytes);
  }
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("sound", sound);
