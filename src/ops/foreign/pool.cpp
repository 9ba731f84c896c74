// Pools, and other operators on regions of images.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/foreign/windows.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource values_and_indices[] = {like(0), of(int64)};

void pool(Call& call, Channels channels) {
  SymbolicDims dims = image_of(call, nullptr);
  if (dims.size() < 2) return;
  const Image image(call, dims.size(), channels);
  slide(call, image, kernel_of(call, image, nullptr), dims);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set(call, i, dims);
}

void global_pool(Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr || input->size() < 2) return;
  const Image image(call, input->size());
  SymbolicDims dims(input->size(), 1);
  dims[0] = (*input)[0];
  dims[image.channel()] = (*input)[image.channel()];
  set(call, 0, dims);
}

void unpool(Call& call) {
  const Sizes sizes = call.sizes();
  SymbolicDims dims = image_of(call, nullptr);
  if (dims.size() < 2) return;
  const Image image(call, dims.size());
  const std::size_t count = image.count();
  const SymbolicDims kernel = kernel_of(call, image, nullptr);
  const SymbolicDims strides = list_of(call, "strides", count, 1);
  const SymbolicDims pads = list_of(call, "pads", 2 * count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    dims[2 + i] = unslid(sizes, dims[2 + i], kernel[i], strides[i], sizes.add(pads[i], pads[count + i]));
  }
  const IntegerList shape = input_list(call, 2);
  if (shape.is_given) dims = shape.size() == dims.size() ? shape.values : SymbolicDims(dims.size(), unknown_size);
  set(call, 0, dims);
}

void columns_to_image(Call& call) {
  const Sizes sizes = call.sizes();
  const IntegerList image = input_list(call, 1);
  const IntegerList block = input_list(call, 2);
  const IntegerList& known = image.has_length ? image : block;
  if (!known.has_length || known.size() + 2 > most_ruled_axes) return;
  SymbolicDims dims(known.size() + 2, unknown_size);
  dims[0] = size_of(call, 0, 0);
  if (block.has_length) dims[1] = sizes.floor_divide(size_of(call, 0, 1), sizes.product(block.values.values()));
  if (image.has_length) std::copy(image.values.begin(), image.values.end(), dims.begin() + 2);
  set(call, 0, dims);
}

// Regions of an image, each at one size.
void aligned_regions(Call& call) {
  set(call, 0, {size_of(call, 1, 0), size_of(call, 0, 1), integer(call, "output_height", 1), integer(call, "output_width", 1)});
}

void pooled_regions(Call& call) {
  const SymbolicDims shape = list_of(call, "pooled_shape", 2, unknown_size);
  set(call, 0, {size_of(call, 1, 0), size_of(call, 0, 1), shape[0], shape[1]});
}

}  // namespace

constinit const Operator op::average_pool = onnx_operator("AveragePool", by<pool, Channels::first>, first_input);
constinit const Operator op::col2im = onnx_operator("Col2Im", by<columns_to_image>, first_input);
constinit const Operator op::global_average_pool = onnx_operator("GlobalAveragePool", by<global_pool>, first_input);
constinit const Operator op::global_lp_pool = onnx_operator("GlobalLpPool", by<global_pool>, first_input);
constinit const Operator op::global_max_pool = onnx_operator("GlobalMaxPool", by<global_pool>, first_input);
constinit const Operator op::lp_pool = onnx_operator("LpPool", by<pool, Channels::first>, first_input);
constinit const Operator op::max_pool = onnx_operator("MaxPool", by<pool, Channels::first>, values_and_indices);
constinit const Operator op::max_roi_pool = onnx_operator("MaxRoiPool", by<pooled_regions>, first_input);
constinit const Operator op::max_unpool = onnx_operator("MaxUnpool", by<unpool>, first_input);
constinit const Operator op::roi_align = onnx_operator("RoiAlign", by<aligned_regions>, first_input);
constinit const Operator op::microsoft::nhwc_max_pool =
    microsoft_operator("NhwcMaxPool", by<pool, Channels::last>, first_input);
constinit const Operator op::microsoft::qlinear_average_pool =
    microsoft_operator("QLinearAveragePool", by<pool, Channels::first>, first_input);
constinit const Operator op::microsoft::qlinear_global_average_pool =
    microsoft_operator("QLinearGlobalAveragePool", by<global_pool>, first_input);

}  // namespace broadloom
