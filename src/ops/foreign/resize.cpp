// Images: resizing, sampling, decoding, and boxes.
#include <algorithm>
#include <cmath>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr OperatorVersion resize_versions[] = {since(1), since(11)};

constexpr TypeSource bytes[] = {of(uint8)};

// floor(size * scale), if rounding of the product cannot change the result; otherwise unknown.
Size scaled(const Sizes& sizes, Size size, float scale) {
  if (!(scale >= 0) || scale > 65536) return unknown_size;
  if (size.is_number()) {
    if (size.number() < 0 || size.number() > (std::int64_t{1} << 24)) return unknown_size;
    return static_cast<std::int64_t>(std::floor(static_cast<float>(size.number()) * scale));
  }
  constexpr float parts = 256;
  const float whole = scale * parts;
  if (whole != std::floor(whole)) return unknown_size;
  return sizes.floor_divide(sizes.multiply(size, static_cast<std::int64_t>(whole)), static_cast<std::int64_t>(parts));
}

struct Scales {
  bool has_length = false;
  std::size_t count = 0;
  const Tensor* tensor = nullptr;  // with elements

  Scales() = default;
  explicit Scales(const Tensor& from) {
    if (!from.is_ranked() || from.dims().size() != 1 || !from.dims()[0].is_number()) return;
    has_length = true;
    count = static_cast<std::size_t>(std::clamp<std::int64_t>(from.dims()[0].number(), 0, most_entries));
    if (from.has_elements() && from.dtype == Dtype::float32) tensor = &from;
  }
  float operator[](std::size_t i) const {
    return reinterpret_cast<const float*>(tensor->data())[static_cast<std::int64_t>(i) * tensor->layout->strides[0]];
  }
};

void resize_dims(Call& call, bool is_upsample) {
  const Sizes sizes = call.sizes();
  const std::size_t place = is_upsample || call.version.since_version < 11 ? 1 : 2;
  Scales scales;
  if (is_given(call, place)) scales = Scales(*call.inputs[place]);
  if (const Attribute* attribute = attribute_of(call.attributes, "scales", AttributeType::FLOATS)) {
    scales = Scales(attribute->value.tensor);
  }
  const IntegerList wanted = place == 2 ? input_list(call, 3) : IntegerList{};
  const IntegerList named = list(call, "axes");
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr) {
    // There is one entry for each axis.
    const std::size_t rank = scales.has_length && scales.count > 0 ? scales.count : wanted.size();
    if (!named.is_given && rank > 0) set_rank(call, 0, rank);
    return;
  }
  SymbolicDims dims = *input;
  const std::size_t rank = dims.size();
  SymbolicDims axes = named.is_given ? named.values : SymbolicDims(rank, 0);
  for (std::size_t i = 0; i < rank && !named.is_given; ++i) axes[i] = static_cast<std::int64_t>(i);
  const std::string_view policy = text(call, "keep_aspect_ratio_policy");
  const bool keeps_aspect = !policy.empty() && policy != "stretch";
  const bool has_sizes = wanted.has_length && wanted.size() == axes.size() && !keeps_aspect;
  const bool has_scales = !has_sizes && scales.tensor != nullptr && scales.count == axes.size();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<std::size_t> axis = axis_at(axes[i], rank);
    if (!axis) return set_rank(call, 0, rank);
    dims[*axis] = has_sizes ? wanted.values[i] : has_scales ? scaled(sizes, dims[*axis], scales[i]) : unknown_size;
  }
  const Attribute* height = attribute_of(call.attributes, "height_scale", AttributeType::FLOAT);
  const Attribute* width = attribute_of(call.attributes, "width_scale", AttributeType::FLOAT);
  if (is_upsample && rank == 4 && height != nullptr && width != nullptr) {
    dims = *input;
    dims[2] = scaled(sizes, dims[2], height->value.number);
    dims[3] = scaled(sizes, dims[3], width->value.number);
  }
  set(call, 0, dims);
}

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
constinit const Operator op::resize = onnx_operator("Resize", by<resize_dims, false>, first_input, {}, resize_versions);
constinit const Operator op::upsample = onnx_operator("Upsample", by<resize_dims, true>, first_input);
constinit const Operator op::microsoft::grid_sample = microsoft_operator("GridSample", by<sampled>, first_input);

}  // namespace broadloom
