#include "kernels/sound/mix.h"

#include <bit>

#include "kernels/base/lane_math.h"

namespace broadloom {
namespace {

float level_of(float sample) { return sample; }
float level_of(std::int16_t sample) { return static_cast<float>(sample) * 0x1p-15F; }

template <class T>
void mix_each(float* to, const T* from, std::size_t first, std::size_t count, const ChannelPlaces& places) {
  const auto divisor = static_cast<float>(places.channels);
  // Products with powers of two are exact, and take a fifth of the time of a division.
  const bool has_factor = std::has_single_bit(places.channels);
  const float factor = 1 / divisor;
  for (std::size_t i = first; i < count; ++i) {
    const T* const at = from + i * places.step;
    float sum = level_of(at[0]);
    for (std::size_t c = 1; c < places.channels; ++c) sum += level_of(at[c * places.channel_step]);
    to[i] = has_factor ? sum * factor : sum / divisor;
  }
}

}  // namespace

void mix(float* to, const float* from, std::size_t count, const ChannelPlaces& places) {
  constexpr std::size_t lanes = lanes_of<float>;
  std::size_t done = 0;
  // Channel after channel.
  for (; places.step == 1 && done + lanes <= count; done += lanes) {
    const auto* const at = reinterpret_cast<const std::byte*>(from + done);
    Lanes<float> sum = load_lanes<float>(at);
    for (std::size_t c = 1; c < places.channels; ++c) sum += load_lanes<float>(at + c * places.channel_step * sizeof(float));
    store_lanes(reinterpret_cast<std::byte*>(to + done), sum / static_cast<float>(places.channels));
  }
  mix_each(to, from, done, count, places);
}

void mix(float* to, const std::int16_t* from, std::size_t count, const ChannelPlaces& places) {
  mix_each(to, from, 0, count, places);
}

}  // namespace broadloom
