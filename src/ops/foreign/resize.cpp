// Images: sampling, decoding, and boxes.

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

void affine_grid_dims(Call& call) {
  const IntegerList size = input_list(call, 1);
  const std::size_t rank = size.size();
  if (rank < 3) return;
  SymbolicDims dims(rank, static_cast<std::int64_t>(rank) - 2);
  dims[0] = size.values[0];
  for (std::size_t i = 2; i < rank; ++i) dims[i - 1] = size.values[i];
  set(call, 0, dims);
}

void decoded_image(Call& call) {
  set(call, 0, {unknown_size, unknown_size, text(call, "pixel_format") == "Grayscale" ? 1 : 3});
}

void suppressed(Call& call) { set(call, 0, {unknown_size, 3}); }

}  // namespace

constinit const Operator op::affine_grid = onnx_operator("AffineGrid", by<affine_grid_dims>, first_input);
constinit const Operator op::grid_sample = onnx_operator("GridSample", by<sampled>, first_input);
constinit const Operator op::image_decoder = onnx_operator("ImageDecoder", by<decoded_image>, bytes);
constinit const Operator op::non_max_suppression =
    onnx_operator("NonMaxSuppression", by<suppressed>, int64s, {.depends_on_data = true});
constinit const Operator op::microsoft::grid_sample = microsoft_operator("GridSample", by<sampled>, first_input);

}  // namespace broadloom
