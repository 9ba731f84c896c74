#include "ops/microsoft/quantized.h"

#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/inner_call.h"
#include "ops/elementwise.h"
#include "ops/named_operators.h"

namespace broadloom {

Quantum quantum_of(const Call& call, std::size_t first) {
  Quantum quantum{*reinterpret_cast<const float*>(call.inputs[first]->data())};
  if (const Tensor* zero = call.input(first + 1)) {
    const auto byte = std::to_integer<std::uint8_t>(*zero->data());
    quantum.zero = zero->dtype == Dtype::int8 ? static_cast<std::int8_t>(byte) : byte;
  }
  return quantum;
}

Status check_scalar(const Call& call, std::size_t i) {
  const Tensor* input = call.input(i);
  if (input == nullptr || !input->is_ranked()) return {};
  const SymbolicDims& dims = input->dims();
  if (dims.empty() || (dims.size() == 1 && !differ(dims[0], 1))) return {};
  return impossible("input {} has dims {}, wanted one element", i, dims.values());
}

Status check_scalars(const Call& call, std::uint32_t bits) {
  for (std::size_t i = 0; bits != 0; ++i, bits >>= 1) {
    if ((bits & 1U) != 0) BROADLOOM_CHECK(check_scalar(call, i));
  }
  return {};
}

namespace {

// Runs QuantizeLinear or DequantizeLinear of their first version, which have one scale.
constexpr std::int64_t first_opset = 10;

Status run_flat(const Operator& op, const Call& call, std::size_t first, const Tensor& to, const Tensor& from) {
  const LayoutRef flat = dense_layout({from.count()});
  const Tensor x{from.dtype, flat, from.storage, from.offset};
  Tensor y{to.dtype, flat, to.storage, to.offset};
  const Tensor* const inputs[] = {&x, call.inputs[first], call.input(first + 1)};
  const Attributes none;
  return InnerCall(call, op, inputs, {&to.dtype, 1}, {&y, 1}, none, first_opset).compute();
}

}  // namespace

Status dequantise(const Call& call, std::size_t first, const Tensor& to, const Tensor& from) {
  return run_flat(op::dequantize_linear, call, first, to, from);
}

Status quantise(const Call& call, std::size_t first, const Tensor& to, const Tensor& from) {
  return run_flat(op::quantize_linear, call, first, to, from);
}

void keep_order(Call& call, std::size_t input) {
  Tensor& output = call.outputs[0];
  const Tensor& from = *call.inputs[input];
  if (!output.is_ranked() || !are_numbers(output.dims().values())) return;
  if (!from.is_ranked() || from.dims() != output.dims()) return;
  if (const LayoutRef* order = order_of(from, output.dims())) output.layout = *order;
}

}  // namespace broadloom
