// ConstantOfShape: one element, repeated. ONNX: onnx/defs/generator/defs.cc and old.cc, ConstantOfShape.
#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/shape/shape_input.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

constexpr AttributeSpec attribute_specs[] = {{"value", AttributeType::TENSOR}};
using enum TypeVariable;

constexpr Parameter inputs[] = {Parameter::list("input", T1)};
constexpr Parameter outputs[] = {{"output", T2}};
constexpr Signature signature{attribute_specs, inputs, outputs, {T1, T2}};

constexpr OperatorVersion row(int since, TypeSet types) { return {since, &signature, {Dtype::int64, types}}; }

constexpr TypeSet types_20 = types::fixed_size | types::added_13 | types::added_19;
constexpr TypeSet types_21 = types_20 | types::added_21;
constexpr TypeSet types_23 = types_21 | types::added_23;
constexpr TypeSet types_24 = types_23 | types::added_24;
constexpr TypeSet types_25 = types_24 | types::added_25;

constexpr OperatorVersion versions[] = {row(9, types::fixed_size), row(20, types_20), row(21, types_21),
                                        row(23, types_23),         row(24, types_24), row(25, types_25)};

Result<Dtype> output_type(const Attributes& attributes) {
  const Tensor* value = attributes.find_tensor("value");
  if (value == nullptr) return Dtype::float32;
  if (value->count() != 1) {
    return fail(Code::InvalidArgument, "attribute 'value' has dims {} and {} elements, wanted one", value->dims().values(),
                value->count());
  }
  return value->dtype;
}

Result<StorageRef> zero() {
  BROADLOOM_TRY(storage, Storage::allocate(sizeof(float)));
  *reinterpret_cast<float*>(storage->data()) = 0.0F;
  return std::move(storage);
}

Status prepare(Call& call) {
  if (!has_known_length(call, 0)) return {};
  BROADLOOM_TRY(dims, read_shape(call, 0, "input"));
  BROADLOOM_CHECK(check_sizes(dims));
  const Tensor* value = call.attributes.find_tensor("value");
  BROADLOOM_TRY(storage, value == nullptr ? zero() : share_storage(*value));
  // Before a run, an integer of the file with a reserved value (core/size.h) is omitted.
  if (!call.is_run() && value != nullptr && has_size_elements(*value) && !size_at(*value, 0).is_number()) storage = {};
  call.outputs[0] = {call.output_types[0], uniform_layout(dims), std::move(storage), value == nullptr ? 0 : value->offset};
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, constant_of_shape){
    .name = "ConstantOfShape",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .inputs_asked_for = inputs_at({0}),
};

}  // namespace broadloom
