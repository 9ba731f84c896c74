// Size: the number of elements of a tensor, as a tensor. ONNX: onnx/defs/tensor/defs.cc and old.cc, Size.
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs[] = {{"data", T}};
constexpr Parameter outputs[] = {{"size", T1}};
constexpr Signature signature{{}, inputs, outputs, {T, T1}};

constexpr OperatorVersion row(int since, TypeSet types) { return {since, &signature, {types, Dtype::int64}}; }

constexpr OperatorVersion versions[] = {
    row(1, types::all_opset_1),   row(13, types::all_opset_13), row(19, types::all_opset_19), row(21, types::all_opset_21),
    row(23, types::all_opset_23), row(24, types::all_opset_24), row(25, types::all_opset_25)};

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  call.outputs[0] = known_dims(Dtype::int64, {});
  if (!data.is_ranked()) return {};
  BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, {}));
  size_elements(tensor)[0] = call.sizes().product(data.dims());
  call.outputs[0] = std::move(tensor);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, size){
    .name = "Size",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
