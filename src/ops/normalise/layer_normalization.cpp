// LayerNormalization and RMSNormalization, over all axes from a given one on. ONNX: onnx/defs/nn/defs.cc.
// SimplifiedLayerNormalization is the name of the latter in files that onnxruntime wrote, in com.microsoft or in ONNX's own
// domain.
#include <algorithm>

#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/like.h"
#include "ops/dims/reduction.h"
#include "ops/normalise/normalize.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec layer_attributes[] = {with_default("axis", INT, -1), epsilon_attribute,
                                              with_default("stash_type", INT, 1)};
constexpr Parameter layer_inputs[] = {{"X", T}, {"Scale", T}, {"B", T, Option::Optional}};
constexpr Parameter layer_outputs[] = {{"Y", T}, {"Mean", U, Option::Optional}, {"InvStdDev", U, Option::Optional}};
constexpr Signature layer_signature{layer_attributes, layer_inputs, layer_outputs, {T, U}};
constexpr OperatorVersion layer_versions[] = {{17, &layer_signature, {types::floats_13, types::float32 | types::bfloat16}}};
constexpr Parameter rms_inputs[] = {{"X", T}, {"scale", V}};
constexpr Parameter rms_outputs[] = {{"Y", V}};
constexpr Signature rms_signature{layer_attributes, rms_inputs, rms_outputs, {T, V}};
constexpr OperatorVersion rms_versions[] = {{23, &rms_signature, {types::floats_13, types::floats_13}}};
constexpr Parameter simplified_outputs[] = {{"Y", V}, {"inv_std_var", U, Option::Optional}};
constexpr Signature simplified_signature{layer_attributes, rms_inputs, simplified_outputs, {T, V, U}};
constexpr OperatorVersion simplified_versions[] = {
    {1, &simplified_signature, {types::floats_13, types::floats_13, types::float32 | types::float64 | types::bfloat16}}};

Result<Dtype> stashed_type(const Attributes& attributes) {
  const auto number = attributes.find_int("stash_type").value_or(1);
  if (const auto type = dtype_from_id(number)) return *type;
  return fail(Code::InvalidArgument, "attribute 'stash_type' is {}, which is not an element type", number);
}

Status prepare_layer(Call& call) {
  BROADLOOM_CHECK(prepare_like_input(call));
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), dims.size()));
  for (const Tensor* parameter : call.inputs.subspan(1)) {
    if (parameter == nullptr || !parameter->is_ranked()) continue;
    const auto stretched = broadcast_dims(dims, parameter->dims());
    if (!stretched) return Failure(stretched.error());
    const bool is_larger =
        stretched->size() > dims.size() || (are_numbers(dims) && are_numbers(*stretched) && *stretched != dims);
    if (is_larger) {
      return fail(Code::InvalidArgument, "scale or bias has dims {}, which do not stretch to {}", parameter->dims().values(),
                  dims.values());
    }
  }
  const SymbolicDims statistics = statistics_dims(dims.values(), axis);
  for (std::size_t i = 1; i < call.outputs.size(); ++i) call.outputs[i] = known_dims(call.output_types[i], statistics);
  return {};
}

// Takes the parameters of a row, or of all elements if they differ between rows.
Status take_rows(Parameters& to, const Call& call, std::size_t i, std::size_t axis) {
  const Tensor* given = call.input(i);
  if (given == nullptr) return {};
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const std::span<const std::int64_t> own = given->run_dims();
  const std::size_t axes = dims.size() - axis;
  const std::int64_t size = count_of(dims.subspan(axis));
  const bool is_row =
      own.size() >= axes && given->count() == size && std::equal(own.last(axes).begin(), own.end(), dims.last(axes).begin());
  if (is_row) return take(to, *given, size, 1);
  Tensor tensor = *given;
  tensor.layout = broadcast_to(tensor.layout, call.inputs[0]->dims());
  return take(to, tensor, size, 1, size);
}

Status compute_layer(Call& call) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const auto axis = *resolve_axis("axis", call.integer("axis"), dims.size());
  Normalization how;
  how.has_mean = call.version.inputs().size() > 2;  // RMSNormalization has neither mean nor bias
  how.epsilon = static_cast<double>(call.number("epsilon"));
  BROADLOOM_CHECK(take_rows(how.scale, call, 1, axis));
  BROADLOOM_CHECK(take_rows(how.bias, call, 2, axis));
  how.has_factor_alone = call.version.signature == &simplified_signature;
  return normalize(call, three_axes(dims, axis, dims.size()), AxisSet(2), how);
}

}  // namespace

BROADLOOM_OPERATOR(op, layer_normalization){
    .name = "LayerNormalization",
    .versions = layer_versions,
    .output_type = stashed_type,
    .prepare = prepare_layer,
    .compute = compute_layer,
    .traits = {.may_precede_its_opset = true},
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op::microsoft, layer_normalization){
    .name = "LayerNormalization",
    .domain = "com.microsoft",
    .versions = layer_versions,
    .output_type = stashed_type,
    .prepare = prepare_layer,
    .compute = compute_layer,
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op::microsoft, simplified_layer_normalization){
    .name = "SimplifiedLayerNormalization",
    .domain = "com.microsoft",
    .versions = simplified_versions,
    .output_type = stashed_type,
    .prepare = prepare_layer,
    .compute = compute_layer,
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op, rms_normalization){
    .name = "RMSNormalization",
    .versions = rms_versions,
    .prepare = prepare_layer,
    .compute = compute_layer,
    .traits = {.may_precede_its_opset = true},
    .kernels = normalize_kernels,
};

}  // namespace broadloom
