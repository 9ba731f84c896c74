// Where: selects elements of two tensors. ONNX: onnx/defs/tensor/defs.cc and old.cc, Where.
#include "core/count.h"
#include "kernels/elementwise/select.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs[] = {{"condition", B}, {"X", T}, {"Y", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{{}, inputs, outputs, {B, T}};

constexpr OperatorVersion versions[] = {
    {9, &signature, {Dtype::boolean, types::all_opset_1}},
    {16, &signature, {Dtype::boolean, types::all_opset_13}},
};

Status prepare(Call& call) {
  SymbolicDims dims;
  for (const Tensor* input : call.inputs) {
    if (!input->is_ranked()) return {};
    BROADLOOM_TRY(broadcast, broadcast_dims(input->dims(), dims));
    dims = std::move(broadcast);
  }
  call.outputs[0] = known_dims(call.inputs[1]->dtype, dims);
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  const auto stretched = [&](std::size_t i) { return broadcast_to(call.inputs[i]->layout, output.dims()); };
  const LayoutRef layouts[] = {stretched(0), stretched(1), stretched(2)};
  const Choice from{call.inputs[0]->data(), call.inputs[1]->data(), call.inputs[2]->data()};
  const auto count = in_memory(output.count());
  select_items(output.data(), from, {layouts[0], layouts[1], layouts[2]}, item_size(output.dtype), count);
  return {};
}

Program::Value elements(const Call&, Program& program, std::span<const Program::Value> x) {
  return program.select(x[0], x[1], x[2]);
}

}  // namespace

BROADLOOM_OPERATOR(op, where){
    .name = "Where",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .elements = elements,
    .data_movement_inputs = inputs_at({1, 2}),
};

}  // namespace broadloom
