// ImageScaler, Crop, Affine, ParametricSoftplus and ScaledTanh: operators that ONNX had as experiments until opset 9, and that
// files still have in its domain. onnxruntime: onnxruntime/core/graph/contrib_ops.
#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/dims/windows.h"
#include "ops/formula.h"
#include "ops/row_tiles.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec numbers[] = {with_default("alpha", FLOAT, 1), with_default("beta", FLOAT, 0)};
constexpr AttributeSpec scaler_attributes[] = {{"bias", FLOATS}, with_default("scale", FLOAT, 1)};
constexpr AttributeSpec crop_attributes[] = {required("border", INTS), {"scale", INTS}};
constexpr Parameter inputs[] = {{"input", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature of_numbers{numbers, inputs, outputs, {T}};
constexpr Signature of_scaler{scaler_attributes, inputs, outputs, {T}};
constexpr Signature of_crop{crop_attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &of_numbers, {types::floats}}};
constexpr OperatorVersion scaler_versions[] = {{1, &of_scaler, {types::floats}}};
constexpr OperatorVersion crop_versions[] = {{1, &of_crop, {types::floats}}};

Formula affine(const Call& call, const Formula& x) { return x * call.number("alpha") + call.number("beta"); }
Formula parametric_softplus(const Call& call, const Formula& x) {
  return (x * call.number("beta")).apply(Operation::softplus) * call.number("alpha");
}
Formula scaled_tanh(const Call& call, const Formula& x) {
  return (x * call.number("beta")).apply(Operation::tanh) * call.number("alpha");
}

Status check_image(const Tensor& image) {
  if (!image.is_ranked() || image.dims().size() == 4) return {};
  return impossible("an image has {} ax{i}s, wanted [N, C, H, W]", image.dims().size());
}

// ---- ImageScaler ----

Status prepare_scaler(Call& call) {
  const Tensor& image = *call.inputs[0];
  BROADLOOM_CHECK(check_image(image));
  const Tensor* bias = call.attributes.find_tensor("bias");
  const std::int64_t count = bias == nullptr ? 0 : bias->count();
  if (image.is_ranked() && differ(image.dims()[1], count)) {
    return impossible("attribute 'bias' has {} numbers, wanted one for each of {} channels", count, image.dims()[1]);
  }
  return prepare_like_input(call);
}

Status compute_scaler(Call& call) {
  const Tensor& output = call.outputs[0];
  const Tensor& image = *call.inputs[0];
  const Tensor& bias = *call.attributes.find_tensor("bias");
  LayoutRef channels = uniform_layout(output.dims());
  channels.edit().strides[1] = 1;
  Program program;
  const Dtype wide = accumulate_type_of(output.dtype).dtype;
  const auto operand = [&](Dtype dtype, const std::byte* data, const LayoutRef& layout) {
    return Formula(program, converted(program, program.operand(dtype, data, layout), wide));
  };
  const Formula result =
      operand(image.dtype, image.data(), image.layout) * call.number("scale") + operand(bias.dtype, bias.data(), channels);
  return program.run(converted(program, result.value(), output.dtype), output.data(), in_memory(output.count()));
}

// ---- Crop ----

// A view. The border has the elements to the left, above, to the right and below. 'scale' is a height and a width, in place of
// the last two.
Status prepare_crop(Call& call) {
  const Tensor& image = *call.inputs[0];
  BROADLOOM_CHECK(check_image(image));
  BROADLOOM_TRY(border, read_numbers(call, "border", 4, 0, 0));
  const bool has_size = call.attributes.find("scale") != nullptr;
  BROADLOOM_TRY(scale, read_numbers(call, "scale", 2, 1, 1));
  if (!image.is_ranked()) return {};
  const Sizes sizes = call.sizes();
  LayoutRef layout(*image.layout);
  for (std::size_t i = 0; i < 2; ++i) {
    const Size whole = image.dims()[2 + i];
    const std::int64_t before = border[1 - i];
    const Size rest = sizes.subtract(whole, before + (has_size ? scale[i] : border[3 - i]));
    if (rest.is_number() && rest.number() < (has_size ? 0 : 1)) {
      return impossible("cannot crop an image of dims {} by {}", image.dims().values(), border.values());
    }
    layout.edit().dims[2 + i] = has_size ? Size(scale[i]) : rest;
  }
  BROADLOOM_TRY(view, view_of(image, layout, border[1] * layout->strides[2] + border[0] * layout->strides[3]));
  call.outputs[0] = std::move(view);
  return {};
}

template <Formula formula(const Call& call, const Formula& x)>
constexpr Operator elementwise(std::string_view name, Kernels kernels) {
  return {.name = name,
          .versions = versions,
          .prepare = prepare_like_input,
          .elements = elements_of<formula>,
          .most_steps = 8,
          .kernels = kernels};
}

}  // namespace

BROADLOOM_OPERATOR(op::experimental, affine) = elementwise<broadloom::affine>("Affine",
                                                                              loops(Operation::add, Operation::multiply));
BROADLOOM_OPERATOR(op::experimental, crop){
    .name = "Crop", .versions = crop_versions, .prepare = prepare_crop, .compute = finished_by_prepare};
BROADLOOM_OPERATOR(op::experimental, image_scaler){
    .name = "ImageScaler",
    .versions = scaler_versions,
    .prepare = prepare_scaler,
    .compute = compute_scaler,
    .kernels = loops(Operation::add, Operation::multiply),
};
BROADLOOM_OPERATOR(op::experimental, parametric_softplus) =
    elementwise<broadloom::parametric_softplus>("ParametricSoftplus", loops(Operation::multiply, Operation::softplus));
BROADLOOM_OPERATOR(op::experimental, scaled_tanh) = elementwise<broadloom::scaled_tanh>("ScaledTanh", loops(Operation::multiply,
                                                                                                            Operation::tanh));

}  // namespace broadloom
