// Constant: a tensor in an attribute. ONNX: onnx/defs/generator/defs.cc and old.cc, Constant.
#include <cstring>

#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec value_only[] = {required("value", TENSOR)};
constexpr AttributeSpec with_sparse[] = {{"sparse_value", SPARSE_TENSOR}, {"value", TENSOR}};
constexpr AttributeSpec with_lists[] = {{"sparse_value", SPARSE_TENSOR}, {"value", TENSOR},         {"value_float", FLOAT},
                                        {"value_floats", FLOATS},        {"value_int", INT},        {"value_ints", INTS},
                                        {"value_string", STRING},        {"value_strings", STRINGS}};
constexpr Parameter outputs[] = {{"output", T}};

constexpr Signature with_value{value_only, {}, outputs, {T}};
constexpr Signature sparse_too{with_sparse, {}, outputs, {T}};
constexpr Signature lists_too{with_lists, {}, outputs, {T}};

constexpr OperatorVersion row(int since, const Signature& signature, TypeSet types) { return {since, &signature, {types}}; }

constexpr OperatorVersion versions[] = {
    row(1, with_value, types::floats),       row(9, with_value, types::all_opset_1),  row(11, sparse_too, types::all_opset_1),
    row(12, lists_too, types::all_opset_1),  row(13, lists_too, types::all_opset_13), row(19, lists_too, types::all_opset_19),
    row(21, lists_too, types::all_opset_21), row(23, lists_too, types::all_opset_23), row(24, lists_too, types::all_opset_24),
    row(25, lists_too, types::all_opset_25),
};

// The only attribute with a value. The schema lists the possible ones.
Result<const Attribute*> value_of(const Attributes& attributes) {
  const Attribute* value = nullptr;
  for (const Attribute& attribute : attributes) {
    if (value != nullptr) {
      return fail(Code::InvalidArgument, "takes exactly one value attribute, got {} and {}", quoted(value->spec->name),
                  quoted(attribute.spec->name));
    }
    value = &attribute;
  }
  if (value == nullptr) return fail(Code::InvalidArgument, "takes exactly one value attribute, got none");
  if (!value->value.is_present) {
    return fail(Code::InvalidArgument, "attribute {} has no value", quoted(value->spec->name));
  }
  return value;
}

Result<Dtype> output_type(const Attributes& attributes) {
  BROADLOOM_TRY(attribute, value_of(attributes));
  switch (attribute->spec->type) {
    case FLOAT: return Dtype::float32;
    case INT: return Dtype::int64;
    case SPARSE_TENSOR: return attribute->value.sparse.front().values.dtype;
    default: return attribute->value.tensor.dtype;
  }
}

Result<Tensor> scalar(Dtype dtype, const void* value) {
  BROADLOOM_TRY(tensor, make_tensor(dtype, {}));
  std::memcpy(tensor.data(), value, item_size(dtype));
  return std::move(tensor);
}

// The value, or the dims of a sparse tensor, which compute writes.
Result<Tensor> value_or_dims(const Attribute& attribute) {
  switch (attribute.spec->type) {
    case FLOAT: return scalar(Dtype::float32, &attribute.value.number);
    case INT: return scalar(Dtype::int64, &attribute.value.integer);
    case SPARSE_TENSOR: {
      const SparseTensor& sparse = attribute.value.sparse.front();
      BROADLOOM_CHECK(check_sparse(sparse));
      return Tensor{sparse.values.dtype, uniform_layout(sparse.dims)};
    }
    default: return share(attribute.value.tensor);
  }
}

Status prepare(Call& call) {
  BROADLOOM_TRY(attribute, value_of(call.attributes));
  BROADLOOM_TRY(tensor, value_or_dims(*attribute));
  call.outputs[0] = std::move(tensor);
  return {};
}

Status compute(Call& call) { return write_dense((*call.attributes.begin()).value.sparse.front(), call.outputs[0]); }

}  // namespace

BROADLOOM_OPERATOR(op, constant){
    .name = "Constant",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
