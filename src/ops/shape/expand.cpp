// Expand: two-way broadcast to a shape, as a layout with stride 0. ONNX: onnx/defs/math/defs.cc and old.cc, Expand.
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/shape/shape_input.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs[] = {{"input", T}, {"shape", Dtype::int64}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{{}, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {8, &signature, {types::all_opset_1}},
    {13, &signature, {types::all_opset_13}},
};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!has_known_length(call, 1) || !input.is_ranked()) return {};
  BROADLOOM_TRY(shape, read_shape(call, 1, "shape"));
  BROADLOOM_TRY(dims, broadcast_dims(input.dims(), shape));
  BROADLOOM_TRY(storage, share_storage(input));
  call.outputs[0] = {input.dtype, broadcast_to(input.layout, dims), std::move(storage), input.offset};
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, expand){
    .name = "Expand",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
