// ConstantOfShape: one element, everywhere. ONNX: onnx/defs/generator/defs.cc and old.cc, ConstantOfShape.
#include "core/text.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "ops/shape_input.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

constexpr AttributeSpec attribute_specs[] = {{"value", AttributeType::TENSOR}};
constexpr Parameter inputs[] = {{"input", "T1", Option::Single, Dtype::int64, Use::Sizes}};
constexpr Parameter outputs[] = {{"output", "T2"}};

constexpr OperatorVersion row(std::int64_t since, TypeSet types) {
  return {since, attribute_specs, inputs, outputs, {{{"T1", Dtype::int64}, {"T2", types}}}};
}

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

// A storage of one element; for packed types that repeat, of one byte full of it.
Result<StorageRef> one_element(const Tensor* value, bool repeated) {
  if (value != nullptr && !(repeated && is_packed(value->dtype))) return share_storage(*value);
  BROADLOOM_TRY(storage, Storage::allocate(sizeof(float)));
  if (value == nullptr) {
    *reinterpret_cast<float*>(storage->data()) = 0.0F;
  } else {
    *storage->data() = packed_splat(value->dtype, *value->data());
  }
  return std::move(storage);
}

Status run(Call& call) {
  BROADLOOM_TRY(dims, read_shape(*call.inputs[0], "input"));
  BROADLOOM_TRY(count, checked_count(dims));
  BROADLOOM_TRY(storage, one_element(call.attributes.find_tensor("value"), count > 1));
  call.outputs[0] = {call.output_types[0], uniform_layout(dims), std::move(storage)};
  return {};
}

}  // namespace

constinit const Operator constant_of_shape{"ConstantOfShape", versions, output_type, run};

}  // namespace broadloom
