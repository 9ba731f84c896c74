// Tensors of sounds: one channel, at the rate that is asked for.
#pragma once

#include "core/tensor.h"

namespace broadloom {

struct SoundForm {
  double from = 0;  // samples per second and channel
  double to = 0;
  double channels = 1;
  bool is_planar = false;  // channel after channel; otherwise the channels of a moment lie side by side
};

// The mean of the channels at the rate `to`: float32 [ceil(n * to / from)], for n samples of each channel. `sound` is dense:
// float32, or int16, which stands for its value / 32768. Samples at the same rate keep their bits.
Result<Tensor> from_audio(const Tensor& sound, const SoundForm& form);

}  // namespace broadloom
