// Elements of images at shifted taps of windows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "core/dtype.h"
#include "core/status.h"
#include "kernels/convolution/sliding.h"

namespace broadloom {

// Windows over two axes, each of whose taps has a shift of its own in each place. The shifts of a tap are the same for all
// channels of an offset group.
struct DeformedWindows {
  std::array<SlidingAxis, 2> axes;  // their pitches are not read
  std::size_t channels;
  std::size_t groups;         // of channels in a row
  std::size_t offset_groups;  // which divide the channels, too

  std::size_t places() const { return in_memory(axes[0].places * axes[1].places); }
  std::size_t taps() const { return in_memory(axes[0].kernel * axes[1].kernel); }
};

// Where the operands lie. The image, of float32 or float64, has its channels side by side.
struct DeformedImage {
  Dtype dtype;
  const std::byte* image;
  const double* offsets;   // planes of places: for each offset group and tap the shifts along the two axes
  const double* mask;      // a plane of factors for each offset group and tap; nullptr: all are 1
  const std::byte* zeros;  // as many as there are channels
};

// Writes a row for each place: for each group, each tap, and each channel of the group the element at the shifted tap, linear
// between its four neighbours. Those outside of the image are 0.
Status sample_deformed(std::byte* to, const DeformedImage& from, const DeformedWindows& windows);

}  // namespace broadloom
