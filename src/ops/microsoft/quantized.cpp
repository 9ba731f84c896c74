#include "ops/microsoft/quantized.h"

#include "core/text.h"
#include "kernels/quantize.h"
#include "ops/arguments.h"
#include "ops/elementwise.h"

namespace broadloom {

Quantum quantum_of(const Call& call, std::size_t first) {
  Quantum quantum{*reinterpret_cast<const float*>(call.inputs[first]->data())};
  if (const Tensor* zero = call.input(first + 1)) {
    const auto byte = std::to_integer<std::uint8_t>(*zero->data());
    quantum.zero = zero->dtype == Dtype::int8 ? static_cast<std::int8_t>(byte) : byte;
  }
  return quantum;
}

Status check_scalars(const Call& call, std::uint32_t bits) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor* input = call.inputs[i];
    if ((bits >> i & 1U) == 0 || input == nullptr || !input->is_ranked()) continue;
    const SymbolicDims& dims = input->dims();
    if (dims.empty() || (dims.size() == 1 && !differ(dims[0], 1))) continue;
    return impossible("input {} has dims {}, wanted one element", i, dims.values());
  }
  return {};
}

Formula dequantised(const Formula& bytes, const Quantum& quantum) {
  const Formula integers = bytes.converted(Dtype::int32);
  Program& program = bytes.program();
  const Program::Value scale = program.constant(static_cast<double>(quantum.scale), Program::Value{.dtype = Dtype::float32});
  const Program::Value from[] = {integers.value(), integers.number(quantum.zero).value(), scale};
  return {program, program.apply(dequantize, Dtype::float32, from)};
}

Formula quantised(const Formula& numbers, const Quantum& quantum, Dtype dtype) {
  const int least = dtype == Dtype::int8 ? -128 : 0;
  const auto number = [&](double value) { return numbers.number(value).value(); };
  const Program::Value from[] = {numbers.value(), number(static_cast<double>(quantum.scale)), number(quantum.zero),
                                 number(least), number(least + 255)};
  Program& program = numbers.program();
  return Formula(program, program.apply(quantize<float>, Dtype::int32, from)).converted(dtype);
}

Status dequantise(const Tensor& to, const Tensor& from, const Quantum& quantum) {
  Program program;
  const Formula bytes(program, program.operand(from.dtype, from.data(), dense_layout({from.count()})));
  return program.run(dequantised(bytes, quantum).value(), to.data(), static_cast<std::size_t>(from.count()));
}

Status quantise(const Tensor& to, const Tensor& from, const Quantum& quantum) {
  Program program;
  const Formula numbers(program, program.operand(from.dtype, from.data(), dense_layout({from.count()})));
  return program.run(quantised(numbers, quantum, to.dtype).value(), to.data(), static_cast<std::size_t>(from.count()));
}

void keep_order(Call& call, std::size_t input) {
  Tensor& output = call.outputs[0];
  const Tensor& from = *call.inputs[input];
  if (!output.is_ranked() || !are_numbers(output.dims().values())) return;
  if (!from.is_ranked() || from.dims() != output.dims()) return;
  if (const LayoutRef* order = order_of(from, output.dims())) output.layout = *order;
}

}  // namespace broadloom
