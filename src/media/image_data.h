// Tensors become images again.
#pragma once

#include "core/tensor.h"
#include "media/image.h"

namespace broadloom {

struct PictureOptions {
  ImageLayout layout = ImageLayout::nchw;
  bool is_bgr = false;
  PixelScale scale;  // byte = (element * std + mean) / scale, rounded, from 0 to 255
};

// The pixels of one image: a uint8 tensor [height, width, 4] of red, green, blue and alpha. The tensor has the axes of the
// layout, a batch of one at most, and 1 channel (gray), 3 (RGB, or BGR) or 4 (and alpha); with two axes, it has gray [height,
// width]. NaN becomes 0.
Result<Tensor> image_of(const Tensor& tensor, const PictureOptions& options);

}  // namespace broadloom
