// com.microsoft: MaxpoolWithMask, a MaxPool whose windows end at masked elements. onnxruntime: docs/ContribOperators.md.
//
// A mask has the dims of the image, or 1 for the batch, the channels or both. onnxruntime differs in two cases: it reads the
// wrong planes of a mask with several planes, and it takes the first element of a plane of two or three axes although it is
// masked.
#include "core/text.h"
#include "kernels/convolution/pool_masked.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/windows.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {auto_pad_attribute,
                                        required("kernel_shape", INTS),
                                        {"pads", INTS},
                                        with_default("storage_order", INT, 0),
                                        {"strides", INTS}};
constexpr Parameter inputs[] = {{"X", T}, {"M", Dtype::int32}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {Dtype::float32}}};

Result<WindowAxes> windows_of(const Call& call) { return slide_windows(call, call.inputs[0]->dims().values().subspan(2)); }

Status check_mask_dims(const SymbolicDims& image, const SymbolicDims& mask) {
  bool are_same = image.size() == mask.size();
  for (std::size_t i = 0; are_same && i < image.size(); ++i) {
    are_same = !differ(image[i], mask[i]) || (i < 2 && !differ(mask[i], 1));
  }
  if (are_same) return {};
  return impossible("'M' has dims {}, which do not fit a mask of {}", mask.values(), image.values());
}

Status prepare(Call& call) {
  const Tensor& image = *call.inputs[0];
  const Tensor& mask = *call.inputs[1];
  if (!image.is_ranked()) return {};
  if (image.dims().size() < 3)
    return impossible("an image has {} ax{i}s, wanted [N, C, ...] with one more at least", image.dims().size());
  if (mask.is_ranked()) BROADLOOM_CHECK(check_mask_dims(image.dims(), mask.dims()));
  BROADLOOM_TRY(axes, windows_of(call));
  SymbolicDims dims = image.dims();
  for (std::size_t i = 0; i < axes.size(); ++i) dims[2 + i] = axes[i].places;
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

Status compute(Call& call) {
  const Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(axes, windows_of(call));
  BROADLOOM_TRY(image, densify(*call.inputs[0]));
  BROADLOOM_TRY(mask, densify(*call.inputs[1]));
  const SlidingAxes windows = numbers_of(axes);
  const std::span<const std::int64_t> dims = image.run_dims();
  const std::span<const std::int64_t> mask_dims = mask.run_dims();
  const std::int64_t plane = count_of(dims.subspan(2));
  const std::int64_t places = count_of(output.run_dims().subspan(2));
  auto* to = reinterpret_cast<float*>(output.data());
  const auto* from = reinterpret_cast<const float*>(image.data());
  const auto* flags = reinterpret_cast<const std::int32_t*>(mask.data());
  for (std::int64_t i = 0; i < dims[0] * dims[1]; ++i, to += places, from += plane) {
    const std::int64_t batch = mask_dims[0] == 1 ? 0 : i / dims[1];
    const std::int64_t channel = mask_dims[1] == 1 ? 0 : i % dims[1];
    BROADLOOM_CHECK(pool_masked(to, from, flags + (batch * mask_dims[1] + channel) * plane, windows.values()));
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, maxpool_with_mask){
    .name = "MaxpoolWithMask",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = work_of_windows,
};

}  // namespace broadloom
