// QLinearMatMul: products of quantised matrices, quantised again. ONNX: onnx/defs/math/defs.cc and old.cc, QLinearMatMul.
//
// Integers of 8 bits have exact sums. Where an operand or the result is of a float8 type, sums are of float32.
#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/quantize.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/dims/product.h"
#include "ops/named_operators.h"
#include "ops/product/integer_product.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr TypeSet bytes_21 = types::bytes | types::added_19;
constexpr TypeSet scales_21 = types::single_floats;

constexpr Parameter inputs[] = {{"a", T1},
                                {"a_scale", Dtype::float32},
                                {"a_zero_point", T1},
                                {"b", T2},
                                {"b_scale", Dtype::float32},
                                {"b_zero_point", T2},
                                {"y_scale", Dtype::float32},
                                {"y_zero_point", T3}};
constexpr Parameter inputs_21[] = {{"a", T1},       {"a_scale", TS},      {"a_zero_point", T1}, {"b", T2},
                                   {"b_scale", TS}, {"b_zero_point", T2}, {"y_scale", TS},      {"y_zero_point", T3}};
constexpr Parameter outputs[] = {{"y", T3}};
constexpr Signature signature{{}, inputs, outputs, {T1, T2, T3}};
constexpr Signature signature_21{{}, inputs_21, outputs, {T1, T2, T3, TS}};
constexpr OperatorVersion versions[] = {{10, &signature, {types::bytes, types::bytes, types::bytes}},
                                        {21, &signature_21, {bytes_21, bytes_21, bytes_21, scales_21}}};

constexpr ProductInputs places{0, 3, {2, 5, 1, 4, 6, 7, ProductInputs::none}};

bool are_integers(const Call& call) {
  return types::bytes.contains(call.inputs[places.a]->dtype) && types::bytes.contains(call.inputs[places.b]->dtype) &&
         types::bytes.contains(call.outputs[0].dtype);
}

// The layout of a zero point or scale that is stretched to `dims`, the dims of an operand or of the result.
LayoutRef stretched(const Tensor& parameter, const SymbolicDims& dims, bool is_second) {
  if (parameter.count() == 1) return uniform_layout(dims);
  if (parameter.dims().size() > 1) return broadcast_to(parameter.layout, dims);
  LayoutRef layout{dims};
  layout.edit().strides[dims.size() - (is_second ? 1 : 2)] = 1;
  return layout;
}

// The value of an input in float32, stretched.
Result<Program::Value> stretched_operand(const Call& call, Program& program, Tensor& memory, std::size_t input,
                                         const SymbolicDims& dims, bool is_second) {
  BROADLOOM_TRY(parameter, parameter_in(call, input));
  memory = std::move(parameter);
  return program.operand(Dtype::float32, memory.data(), stretched(memory, dims, is_second));
}

// An operand less its zero point, in float32.
Result<Tensor> centred(const Call& call, std::size_t input, std::size_t zero, bool is_second) {
  BROADLOOM_TRY(x, parameter_in(call, input));
  BROADLOOM_TRY(result, make_tensor(Dtype::float32, x.dims()));
  Program program;
  Tensor memory;
  const Program::Value value = program.operand(Dtype::float32, x.data(), x.layout);
  BROADLOOM_TRY(zeros, stretched_operand(call, program, memory, zero, x.dims(), is_second));
  const Program::Value difference = program.apply(Operation::subtract, value, zeros);
  BROADLOOM_CHECK(program.run(difference, result.data(), in_memory(x.count())));
  return std::move(result);
}

Status compute_in_floats(const Call& call) {
  const Tensor& y = call.outputs[0];
  if (y.count() == 0) return {};
  BROADLOOM_TRY(a, centred(call, 0, 2, false));
  BROADLOOM_TRY(b, centred(call, 3, 5, true));
  BROADLOOM_TRY(product, make_tensor(Dtype::float32, y.dims()));
  const Tensor* const operands[] = {&a, &b};
  constexpr Dtype float32[] = {Dtype::float32};
  const Attributes no_attributes;
  BROADLOOM_CHECK(InnerCall(call, op::mat_mul, operands, float32, {&product, 1}, no_attributes).compute());

  Program program;
  Tensor memory[4];
  BROADLOOM_TRY(row_scales, stretched_operand(call, program, memory[0], 1, y.dims(), false));
  BROADLOOM_TRY(column_scales, stretched_operand(call, program, memory[1], 4, y.dims(), true));
  BROADLOOM_TRY(divisor, stretched_operand(call, program, memory[2], 6, y.dims(), true));
  BROADLOOM_TRY(zero, stretched_operand(call, program, memory[3], 7, y.dims(), true));
  const Program::Value sums = program.operand(Dtype::float32, product.data(), product.layout);
  const Program::Value scale =
      program.apply(Operation::divide, program.apply(Operation::multiply, row_scales, column_scales), divisor);
  const Program::Value scaled = program.apply(Operation::multiply, sums, scale);
  const auto count = in_memory(y.count());
  if (types::bytes.contains(y.dtype)) {
    const bool is_signed = y.dtype == Dtype::int8;
    const Program::Value from[] = {scaled, program.constant(1, scaled), zero, program.constant(is_signed ? -128 : 0, scaled),
                                   program.constant(is_signed ? 127 : 255, scaled)};
    return program.run(program.convert(y.dtype, program.apply(quantize<float>, Dtype::int32, from)), y.data(), count);
  }
  BROADLOOM_TRY(wide, make_tensor(Dtype::float32, y.dims()));
  BROADLOOM_CHECK(program.run(program.apply(Operation::add, scaled, zero), wide.data(), count));
  return write_rounded(y, wide);
}

Status prepare(Call& call) { return prepare_integer_product(call, places); }
Result<Ready> ready(const Call& call, PackedOperands* packed) {
  return are_integers(call) ? ready_integer_product(call, places, packed) : Ready();
}
Status compute(Call& call) { return are_integers(call) ? run_once(call, ready) : compute_in_floats(call); }

}  // namespace

BROADLOOM_OPERATOR(op, qlinear_mat_mul){
    .name = "QLinearMatMul",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .ready = ready,
    .extra_work = work_of_products,
    .kernels = loops(Operation::add, Operation::subtract, Operation::multiply, Operation::divide),
    .calls = {&op::mat_mul},
};

}  // namespace broadloom
