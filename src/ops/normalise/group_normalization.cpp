// GroupNormalization and InstanceNormalization, over groups of channels or single ones. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/normalise/normalize.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec group_attributes[] = {epsilon_attribute, required("num_groups", INT),
                                              with_default("stash_type", INT, 1)};
constexpr Parameter group_inputs[] = {{"X", T}, {"scale", T}, {"bias", T}};
constexpr Parameter group_outputs[] = {{"Y", T}};
constexpr Signature group_18{std::span(group_attributes).first(2), group_inputs, group_outputs, {T}};
constexpr Signature group_21{group_attributes, group_inputs, group_outputs, {T}};
constexpr OperatorVersion group_versions[] = {{18, &group_18, {types::floats_13}}, {21, &group_21, {types::floats_13}}};
constexpr AttributeSpec instance_attributes[] = {epsilon_attribute, {"consumed_inputs", INTS}};
constexpr Parameter instance_inputs[] = {{"input", T}, {"scale", T}, {"B", T}};
constexpr Parameter instance_outputs[] = {{"output", T}};
constexpr Signature instance_1{instance_attributes, instance_inputs, instance_outputs, {T}};
constexpr Signature instance_6{std::span(instance_attributes).first(1), instance_inputs, instance_outputs, {T}};
constexpr OperatorVersion instance_versions[] = {
    {1, &instance_1, {types::floats}}, {6, &instance_6, {types::floats}}, {22, &instance_6, {types::floats_13}}};

Status prepare_groups(Call& call) {
  BROADLOOM_CHECK(prepare_like_input(call));
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  if (dims.size() < 2) return fail(Code::InvalidArgument, "input has dims {}, wanted [N, C, ...]", dims.values());
  Size length = dims[1];
  const Attribute* groups = call.attributes.find("num_groups");
  if (groups != nullptr) {
    const std::int64_t count = groups->value.integer;
    if (count < 1 || (length.is_number() && length.number() % count != 0)) {
      return fail(Code::InvalidArgument, "'num_groups' is {}, which does not divide {} channels", count, length);
    }
    if (call.version.since_version < 21) length = count;
  }
  BROADLOOM_CHECK(check_length(call, 1, length));
  return check_length(call, 2, length);
}

Status compute_groups(Call& call) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const std::int64_t channels = dims[1];
  const std::int64_t groups = call.attributes.find_int("num_groups").value_or(channels);
  const std::int64_t size = count_of(dims.subspan(2));
  Normalization how;
  how.epsilon = static_cast<double>(call.number("epsilon"));
  for (std::size_t i = 1; i <= 2; ++i) {
    const Tensor& tensor = *call.inputs[i];
    const std::int64_t length = tensor.count();
    const std::int64_t each = length == 0 ? 0 : channels / length * size;
    BROADLOOM_CHECK(take(i == 1 ? how.scale : how.bias, tensor, length, each));
  }
  return normalize(call, {dims[0], groups, groups == 0 ? 0 : channels / groups * size}, AxisSet(4), how);
}

}  // namespace

BROADLOOM_OPERATOR(op, group_normalization){
    .name = "GroupNormalization",
    .versions = group_versions,
    .prepare = prepare_groups,
    .compute = compute_groups,
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op, instance_normalization){
    .name = "InstanceNormalization",
    .versions = instance_versions,
    .prepare = prepare_groups,
    .compute = compute_groups,
    .kernels = normalize_kernels,
};

}  // namespace broadloom
