// Channels mixed to their mean.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

// `channels` samples at each of `count` moments: the samples of a moment are `channel_step` apart, and moments `step`.
struct ChannelPlaces {
  std::size_t channels;
  std::size_t step;
  std::size_t channel_step;
};

// The sums of the channels, in their order, divided by their number. int16 stands for its value / 32768.
void mix(float* to, const float* from, std::size_t count, const ChannelPlaces& places);
void mix(float* to, const std::int16_t* from, std::size_t count, const ChannelPlaces& places);

}  // namespace broadloom
