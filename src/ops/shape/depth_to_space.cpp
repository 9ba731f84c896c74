// DepthToSpace and SpaceToDepth: move blocks of an image to channels and back. ONNX: onnx/defs/tensor/defs.cc and old.cc.
#include "core/text.h"
#include "kernels/movement/strided.h"
#include "ops/call/operator.h"
#include "ops/shape/rearranged.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {required("blocksize", INT)};
constexpr AttributeSpec attributes_11[] = {required("blocksize", INT), one_of("mode", "DCR CRD")};
constexpr Parameter inputs[] = {{"input", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{attributes_1, inputs, outputs, {T}};
constexpr Signature signature_11{attributes_11, inputs, outputs, {T}};

constexpr OperatorVersion depth_versions[] = {
    {1, &signature_1, {types::all_opset_1}},
    {11, &signature_11, {types::all_opset_1}},
    {13, &signature_11, {types::all_opset_13}},
};
constexpr OperatorVersion space_versions[] = {
    {1, &signature_1, {types::all_opset_1}},
    {13, &signature_1, {types::all_opset_13}},
};

// The result's axes as parts of the input's axes N, C, H and W. Some of these are split in two or three.
Layout depth_to_space(const Call& call, std::int64_t block) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const Dims& strides = call.inputs[0]->layout->strides;
  const std::int64_t depth = dims[1] / (block * block);
  const bool is_depth_last = call.word("mode") != "CRD";
  const std::int64_t channel = is_depth_last ? strides[1] : strides[1] * block * block;
  const std::int64_t column = is_depth_last ? strides[1] * depth : strides[1];
  return {{dims[0], depth, dims[2], block, dims[3], block},
          {strides[0], channel, strides[2], column * block, strides[3], column}};
}

Layout space_to_depth(const Call& call, std::int64_t block) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const Dims& strides = call.inputs[0]->layout->strides;
  return {{dims[0], block, block, dims[1], dims[2] / block, dims[3] / block},
          {strides[0], strides[2], strides[3], strides[1], strides[2] * block, strides[3] * block}};
}

// The dims of the image, after checks of rank and block size. They are unknown if the rank is.
Result<SymbolicDims> image_dims(const Call& call) {
  constexpr std::int64_t largest = 1 << 26;
  const std::int64_t block = call.integer("blocksize");
  if (block < 1 || block > largest) return fail(Code::InvalidArgument, "'blocksize' is {}, wanted 1 to {}", block, largest);
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return SymbolicDims(4, unknown_size);
  if (input.dims().size() == 4) return input.dims();
  return fail(Code::InvalidArgument, "input has dims {}, wanted four axes", input.dims().values());
}

// `size` divided by `part`.
Result<Size> divided(const Call& call, Size size, std::int64_t part, std::string_view what) {
  if (!size.is_number() || size.number() % part == 0) return call.sizes().floor_divide(size, part);
  return fail(Code::InvalidArgument, "input has {} {}, which is not a multiple of {}", size, what, part);
}

Status finish(Call& call, const SymbolicDims& dims, Layout (*split)(const Call&, std::int64_t)) {
  const Tensor& input = *call.inputs[0];
  call.outputs[0] = known_dims(input.dtype, dims);
  if (!input.has_elements()) return {};
  if (!are_numbers(dims)) return fail(Code::InvalidArgument, "the result of {} has too many elements", input.dims().values());
  BROADLOOM_CHECK(check_sizes(dims));
  return set_rearranged(call, split(call, call.integer("blocksize")), dims);
}

Status prepare_depth(Call& call) {
  BROADLOOM_TRY(dims, image_dims(call));
  const std::int64_t block = call.integer("blocksize");
  const Sizes sizes = call.sizes();
  BROADLOOM_TRY(depth, divided(call, dims[1], block * block, "channels"));
  return finish(call, {dims[0], depth, sizes.multiply(dims[2], block), sizes.multiply(dims[3], block)}, depth_to_space);
}

Status prepare_space(Call& call) {
  BROADLOOM_TRY(dims, image_dims(call));
  const std::int64_t block = call.integer("blocksize");
  BROADLOOM_TRY(height, divided(call, dims[2], block, "rows"));
  BROADLOOM_TRY(width, divided(call, dims[3], block, "columns"));
  return finish(call, {dims[0], call.sizes().multiply(dims[1], block * block), height, width}, space_to_depth);
}

Status write(Call& call, const Layout& layout) {
  const Tensor& input = *call.inputs[0];
  return materialize_watched(call.outputs[0].data(), input.data(), layout, item_size(input.dtype));
}

Status compute_depth(Call& call) { return write(call, depth_to_space(call, call.integer("blocksize"))); }
Status compute_space(Call& call) { return write(call, space_to_depth(call, call.integer("blocksize"))); }

}  // namespace

BROADLOOM_OPERATOR(op, depth_to_space){
    .name = "DepthToSpace",
    .versions = depth_versions,
    .prepare = prepare_depth,
    .compute = compute_depth,
    .data_movement_inputs = inputs_at({0}),
};
BROADLOOM_OPERATOR(op, space_to_depth){
    .name = "SpaceToDepth",
    .versions = space_versions,
    .prepare = prepare_space,
    .compute = compute_space,
    .data_movement_inputs = inputs_at({0}),
};

}  // namespace broadloom
