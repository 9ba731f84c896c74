#include "media/log_mel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/count.h"
#include "media/option_checks.h"

namespace broadloom {
namespace {

Status check_form(const LogMelForm& form) {
  BROADLOOM_CHECK(check_rate("sampleRate", form.sample_rate));
  BROADLOOM_CHECK(check_integer("fftLength", form.fft_length, 1, most_transform));
  BROADLOOM_CHECK(check_integer("windowLength", form.window_length, 1, form.fft_length));
  BROADLOOM_CHECK(check_integer("hopLength", form.hop_length, 1, 0x1p31));
  BROADLOOM_CHECK(check_integer("power", form.power, 1, 2));
  BROADLOOM_CHECK(check_integer("melBins", form.mel_bins, 1, most_transform));
  if (!(form.min_frequency >= 0 && form.min_frequency < form.max_frequency && form.max_frequency <= form.sample_rate / 2)) {
    return fail(Code::InvalidArgument,
                "'minFrequency' is {} and 'maxFrequency' {}, wanted 0 <= minFrequency < maxFrequency <= {}", form.min_frequency,
                form.max_frequency, form.sample_rate / 2);
  }
  if (!(form.range >= 0)) return fail(Code::InvalidArgument, "'range' is {}, wanted 0 or more", form.range);
  BROADLOOM_CHECK(check_finite("floor", form.floor));
  BROADLOOM_CHECK(check_finite("logOffset", form.log_offset));
  BROADLOOM_CHECK(check_finite("offset", form.offset));
  BROADLOOM_CHECK(check_finite("scale", form.result_scale));
  BROADLOOM_CHECK(check_finite("sampleScale", form.sample_scale));
  return form.length < 0 ? Status() : check_integer("length", form.length, 0, 0x1p31);
}

float factor_of(LogName name) {
  constexpr float per_decade = 0.43429448190325176F;
  constexpr float factors[] = {0, 1, per_decade, 10 * per_decade};
  return factors[place_of(name)];
}

// How many frames lie in the sound.
std::int64_t frames_of(const LogMelForm& form, std::int64_t length) {
  const auto fft = static_cast<std::int64_t>(form.fft_length);
  const std::int64_t room = length + (form.is_centered ? fft / 2 * 2 : 0) - fft;
  const std::int64_t frames = room < 0 ? 0 : room / static_cast<std::int64_t>(form.hop_length) + 1;
  return form.drops_last ? std::max<std::int64_t>(frames - 1, 0) : frames;
}

}  // namespace

Result<Tensor> log_mel(const Tensor& tensor, const LogMelForm& form) {
  BROADLOOM_CHECK(check_form(form));
  BROADLOOM_TRY(samples, samples_of(tensor));
  const std::int64_t length = form.length < 0 ? samples.count() : static_cast<std::int64_t>(form.length);
  const FramedSound sound{reinterpret_cast<const float*>(samples.data()), std::min(samples.count(), length), length, form.edge};
  const std::int64_t frames = frames_of(form, length);
  if (frames > 0 && length == 0 && form.edge != Edge::zeros) {
    return fail(Code::InvalidArgument, "the sound has no samples that could be reflected");
  }
  const auto fft = in_memory(Count::of(form.fft_length));
  const MelForm mel{.sample_rate = form.sample_rate,
                    .length = fft,
                    .bins = in_memory(Count::of(form.mel_bins)),
                    .lower = form.min_frequency,
                    .upper = form.max_frequency,
                    .scale = form.scale,
                    .has_equal_areas = form.has_equal_areas,
                    .is_linear_in_mels = false,
                    .has_nyquist = true};
  const auto window_length = in_memory(Count::of(form.window_length));
  BROADLOOM_TRY(spectra, MelSpectra::make({window_length, form.window, form.is_periodic, static_cast<float>(form.sample_scale),
                                           form.power == 1, mel}));
  const auto bins = static_cast<std::int64_t>(mel.bins);
  const Dims dims = form.has_frames_first ? Dims{frames, bins} : Dims{bins, frames};
  BROADLOOM_CHECK(checked_count(dims));
  BROADLOOM_TRY(result, make_tensor(Dtype::float32, dims));
  BROADLOOM_TRY(workspace, spectra->make_workspace());

  auto* const to = reinterpret_cast<float*>(result.data());
  const Logarithm logarithm{static_cast<float>(form.log_offset), static_cast<float>(form.floor), factor_of(form.log)};
  const auto step = static_cast<std::int64_t>(form.hop_length);
  // The window lies in the middle of the transform's samples. Where zeros are beside it makes no difference to powers.
  const auto first =
      static_cast<std::int64_t>((fft - window_length) / 2) - (form.is_centered ? static_cast<std::int64_t>(fft / 2) : 0);
  constexpr auto at_once = static_cast<std::int64_t>(frames_at_once);
  for (std::int64_t frame = 0; frame < frames; frame += at_once) {
    read_frames(workspace.frame, sound, first + frame * step, step, window_length, workspace.buffer);
    spectra->multiply_window(workspace);
    BROADLOOM_CHECK(spectra->run(workspace));
    take_logarithms(workspace.bins, mel.bins, logarithm);
    const auto count = in_memory(std::min(at_once, frames - frame));
    if (form.has_frames_first) {
      write_rows(to + frame * bins, mel.bins, workspace.bins, mel.bins, count);
    } else {
      write_columns(to + frame, in_memory(frames), workspace.bins, mel.bins, count);
    }
  }

  const auto count = in_memory(result.count());
  float least = -std::numeric_limits<float>::infinity();
  if (std::isfinite(form.range)) least = largest(to, count) - static_cast<float>(form.range);
  apply_scale(to, count, {least, static_cast<float>(form.offset), static_cast<float>(form.result_scale)});
  return std::move(result);
}

}  // namespace broadloom
