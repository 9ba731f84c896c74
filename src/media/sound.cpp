#include "media/sound.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/sound/mix.h"
#include "media/resampler.h"

namespace broadloom {
namespace {

// Reads samples of all channels and writes their mean.
struct Mixer {
  const Tensor& sound;
  std::size_t length;  // of a channel
  ChannelPlaces places;

  void operator()(float* to, std::size_t first, std::size_t count) const {
    const std::size_t start = first * places.step;
    if (sound.dtype == Dtype::int16) {
      mix(to, reinterpret_cast<const std::int16_t*>(sound.data()) + start, count, places);
    } else if (places.channels == 1) {
      std::memcpy(to, sound.data() + start * sizeof(float), count * sizeof(float));
    } else {
      mix(to, reinterpret_cast<const float*>(sound.data()) + start, count, places);
    }
  }
};

Status resample(float* to, Resampler& resampler, const Mixer& mixer) {
  // The samples of a piece stay in the cache. They have several periods of any ratio that has rows for all parts.
  constexpr std::size_t piece = 16384;
  for (std::size_t done = 0; done < mixer.length; done += piece) {
    const std::size_t count = std::min(piece, mixer.length - done);
    BROADLOOM_TRY(samples, resampler.reserve(count));
    mixer(samples, done, count);
    const std::size_t results = resampler.results_after(count);
    constexpr double steps_of_sample = 16;
    BROADLOOM_CHECK(Watch::check(steps_of_sample * static_cast<double>(count + results)));
    resampler.run(to, count);
    to += results;
  }
  resampler.finish(to);
  return {};
}

}  // namespace

Result<Tensor> from_audio(const Tensor& sound, const SoundForm& form) {
  const auto count = in_memory(sound.count());
  const bool is_count = form.channels >= 1 && form.channels == std::floor(form.channels);
  if (!is_count || form.channels > 0x1p31) {
    return fail(Code::InvalidArgument, "'channels' is {}, wanted a count of channels", form.channels);
  }
  const auto channels = in_memory(Count::of(form.channels));
  if (count % channels != 0) {
    return fail(Code::InvalidArgument, "{} samples are not a multiple of {} channels: {} are left over", count, channels,
                count % channels);
  }
  const std::size_t length = count / channels;
  const ChannelPlaces places{channels, form.is_planar ? 1 : channels, form.is_planar ? length : 1};
  const Mixer mixer{sound, length, places};
  BROADLOOM_TRY(resampler, Resampler::make(form.from, form.to));
  if (form.from == form.to && channels == 1 && sound.dtype == Dtype::float32) return sound;
  const Dims dims{static_cast<std::int64_t>(resampler->results_of(mixer.length))};
  BROADLOOM_CHECK(checked_count(dims));
  BROADLOOM_TRY(result, make_tensor(Dtype::float32, dims));
  BROADLOOM_CHECK(resample(reinterpret_cast<float*>(result.data()), *resampler, mixer));
  return std::move(result);
}

}  // namespace broadloom
