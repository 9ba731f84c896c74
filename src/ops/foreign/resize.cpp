// Decoding of images.

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource bytes[] = {of(uint8)};

void decoded_image(Call& call) {
  set(call, 0, {unknown_size, unknown_size, text(call, "pixel_format") == "Grayscale" ? 1 : 3});
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, image_decoder) = onnx_operator("ImageDecoder", by<decoded_image>, bytes);

}  // namespace broadloom
