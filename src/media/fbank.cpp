#include "media/fbank.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/count.h"
#include "kernels/sound/frame_steps.h"
#include "media/option_checks.h"

namespace broadloom {
namespace {

constexpr float epsilon = std::numeric_limits<float>::epsilon();

// Samples of frames, of the steps between them, and of a transform.
struct Lengths {
  std::int64_t frame;
  std::int64_t shift;
  std::size_t transform;
};

Result<std::int64_t> samples_in(const char* name, double milliseconds, double rate) {
  const double samples = std::floor(rate * 0.001 * milliseconds);
  if (samples >= 2 && samples <= most_transform) return static_cast<std::int64_t>(samples);
  return fail(Code::InvalidArgument, "'{}' is {} ms, wanted 2 to {} samples at {} Hz", name, milliseconds, most_transform,
              rate);
}

Result<Lengths> lengths_of(const FbankForm& form) {
  BROADLOOM_CHECK(check_rate("sampleRate", form.sample_rate));
  BROADLOOM_TRY(frame, samples_in("frameLength", form.frame_length, form.sample_rate));
  BROADLOOM_TRY(shift, samples_in("frameShift", form.frame_shift, form.sample_rate));
  const auto size = in_memory(frame);
  return Lengths{frame, shift, form.rounds_to_power_of_two ? std::bit_ceil(size) : size};
}

Result<MelForm> mel_form_of(const FbankForm& form, std::size_t transform) {
  const double nyquist = form.sample_rate / 2;
  const double upper = form.high_frequency > 0 ? form.high_frequency : nyquist + form.high_frequency;
  BROADLOOM_CHECK(check_integer("melBins", form.mel_bins, 1, most_transform));
  if (!(form.low_frequency >= 0 && form.low_frequency < upper && upper <= nyquist)) {
    return fail(Code::InvalidArgument,
                "'lowFrequency' is {} and 'highFrequency' {}, wanted 0 <= lowFrequency < highFrequency <= {}, or a "
                "highFrequency of 0 or less, which is added to {}",
                form.low_frequency, form.high_frequency, nyquist, nyquist);
  }
  return MelForm{.sample_rate = form.sample_rate,
                 .length = transform,
                 .bins = in_memory(Count::of(form.mel_bins)),
                 .lower = form.low_frequency,
                 .upper = upper,
                 .scale = MelScale::htk,
                 .has_equal_areas = false,
                 .is_linear_in_mels = true,
                 .has_nyquist = false};
}

}  // namespace

Result<Tensor> filter_bank_features(const Tensor& tensor, const FbankForm& form) {
  BROADLOOM_TRY(lengths, lengths_of(form));
  BROADLOOM_TRY(mel, mel_form_of(form, lengths.transform));
  BROADLOOM_CHECK(check_finite("preemphasis", form.preemphasis));
  BROADLOOM_CHECK(check_finite("sampleScale", form.sample_scale));
  if (!(form.energy_floor >= 0) || !std::isfinite(form.energy_floor)) {
    return fail(Code::InvalidArgument, "'energyFloor' is {}, wanted 0 or more", form.energy_floor);
  }
  BROADLOOM_TRY(samples, samples_of(tensor));
  const std::int64_t count = samples.count();
  const FramedSound sound{reinterpret_cast<const float*>(samples.data()), count, count, Edge::symmetric};
  const std::int64_t frames = form.snips_edges ? (count < lengths.frame ? 0 : 1 + (count - lengths.frame) / lengths.shift)
                                               : (count + lengths.shift / 2) / lengths.shift;
  const std::int64_t first = form.snips_edges ? 0 : lengths.shift / 2 - lengths.frame / 2;
  const auto size = in_memory(lengths.frame);
  BROADLOOM_TRY(spectra, MelSpectra::make({size, form.window, false, 1, !form.uses_power, mel}));
  const std::size_t row = mel.bins + (form.uses_energy ? 1 : 0);
  const Dims dims{frames, static_cast<std::int64_t>(row)};
  BROADLOOM_CHECK(checked_count(dims));
  BROADLOOM_TRY(result, make_tensor(Dtype::float32, dims));
  BROADLOOM_TRY(workspace, spectra->make_workspace());

  auto* to = reinterpret_cast<float*>(result.data());
  constexpr Logarithm logarithm{0, epsilon, 1};
  const auto floor = static_cast<float>(form.energy_floor);
  const Logarithm energy_logarithm{0, std::max(floor, epsilon), 1};
  const auto scale = static_cast<float>(form.sample_scale);
  constexpr auto at_once = static_cast<std::int64_t>(frames_at_once);
  Lanes<float>* const energy = workspace.bins - 1;
  for (std::int64_t frame = 0; frame < frames; frame += at_once) {
    read_frames(workspace.frame, sound, first + frame * lengths.shift, lengths.shift, size, workspace.buffer);
    prepare_frames(workspace.frame, size, {scale, form.removes_dc_offset});
    if (form.uses_energy && form.has_raw_energy) *energy = energies(workspace.frame, size);
    preemphasize(workspace.frame, size, static_cast<float>(form.preemphasis));
    spectra->multiply_window(workspace);
    if (form.uses_energy && !form.has_raw_energy) *energy = energies(workspace.frame, size);
    BROADLOOM_CHECK(spectra->run(workspace));
    if (form.uses_log) take_logarithms(workspace.bins, mel.bins, logarithm);
    if (form.uses_energy) take_logarithms(energy, 1, energy_logarithm);
    const auto written = in_memory(std::min(at_once, frames - frame));
    write_rows(to, row, workspace.bins - (form.uses_energy ? 1 : 0), row, written);
    to += written * row;
  }
  if (form.subtracts_mean) subtract_means(reinterpret_cast<float*>(result.data()), in_memory(frames), row);
  return std::move(result);
}

}  // namespace broadloom
