// Images: sampling and decoding.

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource bytes[] = {of(uint8)};

// From an image and a grid of points.
void sampled(Call& call) {
  const SymbolicDims* image = dims_of(call, 0);
  const SymbolicDims* grid = dims_of(call, 1);
  if (image == nullptr && grid == nullptr) return;
  const std::size_t rank = image != nullptr ? image->size() : grid->size();
  if (rank < 3 || (grid != nullptr && grid->size() != rank)) return;
  SymbolicDims dims(rank, unknown_size);
  dims[0] = size_of(call, 0, 0);
  dims[1] = size_of(call, 0, 1);
  for (std::size_t i = 2; i < rank; ++i) dims[i] = size_of(call, 1, static_cast<int>(i) - 1);
  set(call, 0, dims);
}

void decoded_image(Call& call) {
  set(call, 0, {unknown_size, unknown_size, text(call, "pixel_format") == "Grayscale" ? 1 : 3});
}

}  // namespace

constinit const Operator op::image_decoder = onnx_operator("ImageDecoder", by<decoded_image>, bytes);
constinit const Operator op::microsoft::grid_sample = microsoft_operator("GridSample", by<sampled>, first_input);

}  // namespace broadloom
