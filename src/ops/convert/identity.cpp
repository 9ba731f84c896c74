// Identity: the same value. ONNX: onnx/defs/tensor/defs.cc and old.cc, Identity. Tensors only: the sequence and optional
// types of its later versions are not supported.
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs_t[] = {{"input", T}};
constexpr Parameter outputs_t[] = {{"output", T}};
constexpr Signature signature_t{{}, inputs_t, outputs_t, {T}};
constexpr Parameter inputs_v[] = {{"input", V}};
constexpr Parameter outputs_v[] = {{"output", V}};
constexpr Signature signature_v{{}, inputs_v, outputs_v, {V}};

constexpr OperatorVersion row_t(int since, TypeSet types) { return {since, &signature_t, {types}}; }
constexpr OperatorVersion row_v(int since, TypeSet types) { return {since, &signature_v, {types}}; }

constexpr OperatorVersion versions[] = {
    row_t(1, types::all_opset_1),   row_t(13, types::all_opset_13), row_v(14, types::all_opset_13),
    row_v(16, types::all_opset_13), row_v(19, types::all_opset_19), row_v(21, types::all_opset_21),
    row_v(23, types::all_opset_23), row_v(24, types::all_opset_24), row_v(25, types::all_opset_25)};

Status prepare(Call& call) {
  BROADLOOM_TRY(tensor, share(*call.inputs[0]));
  call.outputs[0] = std::move(tensor);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, identity){
    .name = "Identity",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
