// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear. ONNX: onnx/defs/quantization/defs.cc and old.cc. The first two of
// com.microsoft, too. onnxruntime: docs/ContribOperators.md.
//
// Where the texts are open, this follows ONNX's reference. Before version 23 the type of the scale is also the precision of the
// division. int32 is divided as float64, and by float8e8m0 as float32. A NaN becomes the least integer. Elements are
// dequantised in float32, and rounded once.
#include "kernels/elementwise/quantize.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/packed.h"
#include "kernels/reduce/reduce.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/like.h"
#include "ops/elementwise.h"
#include "ops/quantise/quantized_and_dequantized.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

// ---- Schemas ----

constexpr AttributeSpec axis = with_default("axis", INT, 1);
constexpr AttributeSpec block_size = with_default("block_size", INT, 0);
constexpr AttributeSpec attributes[] = {axis, with_default("saturate", INT, 1), block_size, data_type_or_zero("output_dtype"),
                                        data_type_or_zero("precision")};
constexpr Parameter inputs_10[] = {{"x", T1}, {"y_scale", Dtype::float32}, {"y_zero_point", T2, Optional}};
constexpr Parameter inputs_19[] = {{"x", T1}, {"y_scale", T1}, {"y_zero_point", T2, Optional}};
constexpr Parameter inputs_23[] = {{"x", T1}, {"y_scale", T2}, {"y_zero_point", T3, Optional}};
constexpr Parameter outputs_10[] = {{"y", T2}};
constexpr Parameter outputs_23[] = {{"y", T3}};
constexpr Signature signature_10{{}, inputs_10, outputs_10, {T1, T2}};
constexpr Signature signature_13{std::span(attributes).first<1>(), inputs_10, outputs_10, {T1, T2}};
constexpr Signature signature_19{std::span(attributes).first<2>(), inputs_19, outputs_10, {T1, T2}};
constexpr Signature signature_21{std::span(attributes).first<4>(), inputs_19, outputs_10, {T1, T2}};
constexpr Signature signature_23{attributes, inputs_23, outputs_23, {T1, T2, T3}};

constexpr TypeSet real = types::single_floats;
constexpr TypeSet real_or_integer = real | types::int32;
constexpr TypeSet bytes_19 = types::bytes | types::added_19;
constexpr TypeSet small_21 = bytes_19 | types::added_21 | types::int16 | types::uint16;
constexpr TypeSet small_23 = small_21 | types::added_23;
constexpr TypeSet small_25 = small_23 | types::added_25;

constexpr OperatorVersion versions[] = {
    {10, &signature_10, {types::float32 | types::int32, types::bytes}},
    {13, &signature_13, {types::float32 | types::int32, types::bytes}},
    {19, &signature_19, {real_or_integer, bytes_19}},
    {21, &signature_21, {real_or_integer, small_21}},
    {23, &signature_23, {real_or_integer, real_or_integer, small_23}},
    {24, &signature_23, {real_or_integer, real_or_integer | types::added_24, small_23}},
    {25, &signature_23, {real_or_integer, real_or_integer | types::added_24, small_25}},
};

constexpr AttributeSpec back_attributes[] = {axis, block_size, data_type_or_zero("output_dtype")};
constexpr Parameter back_inputs_10[] = {{"x", T}, {"x_scale", Dtype::float32}, {"x_zero_point", T, Optional}};
constexpr Parameter back_inputs_19[] = {{"x", T1}, {"x_scale", T2}, {"x_zero_point", T1, Optional}};
constexpr Parameter back_outputs_10[] = {{"y", Dtype::float32}};
constexpr Parameter back_outputs_19[] = {{"y", T2}};
constexpr Signature back_10{{}, back_inputs_10, back_outputs_10, {T}};
constexpr Signature back_13{std::span(back_attributes).first<1>(), back_inputs_10, back_outputs_10, {T}};
// The type of the scale comes first, because it is the default type of the output.
constexpr Signature back_19{std::span(back_attributes).first<1>(), back_inputs_19, back_outputs_19, {T2, T1}};
constexpr Signature back_21{std::span(back_attributes).first<2>(), back_inputs_19, back_outputs_19, {T2, T1}};
constexpr Signature back_23{back_attributes, back_inputs_19, outputs_23, {T2, T1, T3}};

constexpr OperatorVersion back_versions[] = {
    {10, &back_10, {types::bytes | types::int32}},
    {13, &back_13, {types::bytes | types::int32}},
    {19, &back_19, {real, bytes_19 | types::int32}},
    {21, &back_21, {real, small_21 | types::int32}},
    {23, &back_23, {real, small_23 | types::int32, real}},
    {24, &back_23, {real | types::added_24, small_23 | types::int32, real}},
    {25, &back_23, {real | types::added_24, small_25 | types::int32, real}},
};

// com.microsoft has the two for files of earlier opsets, with the types of version 21 that its text lists.
constexpr TypeSet microsoft_floats = types::float32 | types::float16;
constexpr Signature microsoft_signature{std::span(attributes).first<3>(), inputs_19, outputs_10, {T1, T2}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {microsoft_floats, small_21}}};
constexpr OperatorVersion microsoft_back_versions[] = {{1, &back_21, {microsoft_floats, small_21 | types::int32}}};

constexpr Parameter both_inputs[] = {{"x", T}, {"scale", T}, {"least", T}, {"greatest", T}, {"factor", T}};
constexpr Parameter both_outputs[] = {{"y", T}};
constexpr Signature both_signature{{}, both_inputs, both_outputs, {T}};
constexpr OperatorVersion both_versions[] = {{1, &both_signature, {types::float32}}};

constexpr Parameter dynamic_inputs[] = {{"x", T1}};
constexpr Parameter dynamic_outputs[] = {{"y", T2}, {"y_scale", Dtype::float32}, {"y_zero_point", T2}};
constexpr Signature dynamic_signature{{}, dynamic_inputs, dynamic_outputs, {T1, T2}};
constexpr OperatorVersion dynamic_versions[] = {{11, &dynamic_signature, {types::float32, types::uint8}}};

Dtype type_at(const Attributes& given, std::string_view name) {
  return dtype_from_id(given.find_int(name).value_or(0)).value_or(Dtype::undefined);
}

Result<Dtype> output_type(const Attributes& given) {
  const Dtype dtype = type_at(given, "output_dtype");
  return dtype == Dtype::undefined ? Dtype::uint8 : dtype;
}

Result<Dtype> back_output_type(const Attributes& given) { return type_at(given, "output_dtype"); }

// ---- Scales and zero points ----

// The layout of a scale or zero point with the dims of x: one for all, one for each index of the axis, or one for each block
// of indices. The last block may extend beyond x.
Result<LayoutRef> stretched(const Call& call, std::span<const std::int64_t> dims, const Tensor& parameter) {
  const std::span<const std::int64_t> own = parameter.run_dims();
  const std::int64_t block = call.integer("block_size");
  if (block == 0 && own.size() <= 1 && parameter.count() == 1) return uniform_layout(Dims(dims));
  const auto unfit = [&] {
    return fail(Code::InvalidArgument, "a scale or zero point of dims {} is not for x of dims {}, axis {} and block_size {}",
                own, dims, call.integer("axis"), block);
  };
  if (call.version.since_version == 10 || block < 0) return unfit();
  BROADLOOM_TRY(number, resolve_axis("axis", call.integer("axis"), dims.size()));
  if (block == 0) {
    if (own.size() != 1 || own[0] != dims[number]) return unfit();
    LayoutRef layout{Dims(dims)};
    layout.edit().strides[number] = parameter.layout->strides[0];
    return layout;
  }
  if (own.size() != dims.size()) return unfit();
  LayoutRef layout{SymbolicDims(own.size() + 1)};
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::int64_t blocks = dims[i] == 0 ? 0 : (dims[i] - 1) / block + 1;
    if (own[i] != (i == number ? blocks : dims[i])) return unfit();
    const std::size_t place = i > number ? i + 1 : i;
    layout.edit().dims[place] = own[i];
    layout.edit().strides[place] = parameter.layout->strides[i];
  }
  layout.edit().dims[number + 1] = std::min(block, dims[number]);
  return layout;
}

Status prepare(Call& call) {
  const Tensor& x = *call.inputs[0];
  const Dtype dtype = call.output_types[0];
  const Dtype named = type_at(call.attributes, "output_dtype");
  if (named != Dtype::undefined && dtype != Dtype::undefined && dtype != named) {
    return fail(Code::InvalidArgument, "output_dtype is {}, but the zero point is {}", named, dtype);
  }
  const Dtype precision = type_at(call.attributes, "precision");
  if (precision != Dtype::undefined && !(real | types::float64).contains(precision)) {
    return fail(Code::InvalidArgument, "precision is {}, wanted float32, float16, bfloat16 or float64", precision);
  }
  if (!x.is_ranked()) return {};
  for (std::size_t i = 1; i < 3; ++i) {
    const Tensor* parameter = call.input(i);
    const bool is_known = parameter != nullptr && parameter->is_ranked() && are_numbers(parameter->dims().values());
    if (is_known && are_numbers(x.dims().values())) BROADLOOM_CHECK(stretched(call, x.run_dims(), *parameter));
  }
  call.outputs[0] = known_dims(dtype, x.dims());
  return {};
}

// A scale or zero point, converted to a type and stretched to the dims of x. Empty if it is omitted.
Result<Tensor> stretch(const Call& call, const Tensor* parameter, Dtype dtype) {
  if (parameter == nullptr) return Tensor();
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  BROADLOOM_TRY(own, in_type(*parameter, dtype));
  BROADLOOM_TRY(layout, stretched(call, dims, own));
  own.layout = std::move(layout);
  if (own.count() == count_of(dims)) return std::move(own);
  // The last block extends beyond x.
  BROADLOOM_TRY(dense, densify(own));
  BROADLOOM_TRY(number, resolve_axis("axis", call.integer("axis"), dims.size()));
  Dims all(dims);
  all[number] = dense.run_dims()[number] * dense.run_dims()[number + 1];
  dense.layout = dense_layout(all);
  dense.layout.edit().dims[number] = dims[number];
  return std::move(dense);
}

Program::Value operand_of(Program& program, const Tensor& tensor) {
  return program.operand(tensor.dtype, tensor.data(), tensor.layout);
}

// ---- QuantizeLinear ----

// Converts x to the type of the division.
Result<Tensor> dividend(const Tensor& x, Dtype precision) {
  if (Program::can_convert(precision, x.dtype)) return x;
  return in_type(x, precision);
}

Status run_to(const Tensor& y, Program& program, const Program::Value& value) {
  return program.run(value, y.data(), in_memory(y.count()));
}

struct Parameters {
  const Tensor& scale;
  const Tensor* zero;
  Dtype precision;
};

Status quantize_to(const Call& call, const Tensor& y, const Parameters& parameters) {
  const Dtype precision = parameters.precision;
  const Dtype computed = accumulate_type_of(precision).dtype;
  const DtypeInfo& type = info(y.dtype);
  BROADLOOM_TRY(x, dividend(*call.inputs[0], precision));
  BROADLOOM_TRY(scale, stretch(call, &parameters.scale, precision));
  BROADLOOM_TRY(zeros, stretch(call, parameters.zero, computed));

  Program program;
  Program::Value value = operand_of(program, x);
  if (x.dtype != precision) value = program.convert(precision, value);
  Program::Value divisor = operand_of(program, scale);
  // Quotients of float16 and bfloat16 are rounded first; the last step then divides them by 1.
  if (precision != computed) {
    value = program.rounded(program.apply(Operation::divide, value, divisor));
    value = {program.widened(value).number, computed, false};
    divisor = program.constant(1, value);
  }
  const Program::Value zero = parameters.zero == nullptr ? program.constant(0, value) : operand_of(program, zeros);

  if (type.kind == DtypeKind::mini_float) {
    value = program.apply(Operation::divide, value, divisor);
    if (y.dtype == Dtype::float4e2m1) {
      value = program.apply(Operation::add, value, zero);
    } else if (parameters.zero != nullptr) {
      // ONNX's reference does not add the zero point of float8, which is 0, so -0 stays. Subtracting 0 keeps it, too.
      const Program::Value negative = program.apply(Operation::subtract, program.constant(0, value), zero);
      value = program.apply(Operation::subtract, value, negative);
    }
    BROADLOOM_TRY(wide, make_tensor(computed, y.dims()));
    BROADLOOM_CHECK(run_to(wide, program, value));
    const Rounding rounding{call.integer("saturate") != 0, PowerRounding::up};
    return convert_watched(y.data(), y.dtype, wide.data(), computed, in_memory(y.count()), rounding);
  }
  const QuantisedBounds bounds = quantised_bounds(type);
  const Program::Value from[] = {value, divisor, zero, program.constant(bounds.least, value),
                                 program.constant(bounds.greatest, value)};
  const bool is_double = computed == Dtype::float64;
  value = program.apply(is_double ? quantize<double> : quantize<float>, is_double ? Dtype::int64 : Dtype::int32, from);
  if (!is_packed(y.dtype)) return run_to(y, program, program.convert(y.dtype, value));
  BROADLOOM_TRY(unpacked, make_tensor(Dtype::uint8, y.dims()));
  BROADLOOM_CHECK(run_to(unpacked, program, program.convert(Dtype::uint8, value)));
  pack(y.data(), unpacked.data(), in_memory(y.count()), in_memory(type.bits));
  return {};
}

Status compute(Call& call) {
  const Tensor& scale = *call.inputs[1];
  Dtype precision = type_at(call.attributes, "precision");
  if (precision == Dtype::undefined) {
    precision = scale.dtype == Dtype::int32 ? Dtype::float64 : scale.dtype == Dtype::float8e8m0 ? Dtype::float32 : scale.dtype;
  }
  return quantize_to(call, call.outputs[0], {scale, call.input(2), precision});
}

// ---- DequantizeLinear ----

// Converts x to integers of 8 bits or more, or to float32.
Result<Tensor> readable(const Tensor& x) {
  const DtypeInfo& type = info(x.dtype);
  if (type.kind == DtypeKind::mini_float) return in_type(x, Dtype::float32);
  if (!is_packed(x.dtype)) return x;
  BROADLOOM_TRY(dense, densify(x));
  const bool is_signed = type.kind == DtypeKind::signed_integer;
  BROADLOOM_TRY(result, make_tensor(is_signed ? Dtype::int8 : Dtype::uint8, x.dims()));
  const auto count = in_memory(x.count());
  unpack(result.data(), dense.storage->data(), 0, count, in_memory(type.bits));
  if (is_signed) extend_signs(result.data(), count, in_memory(type.bits));
  return std::move(result);
}

Status check_zeros(const Tensor& zeros) {
  BROADLOOM_TRY(dense, densify(zeros));
  const auto* values = reinterpret_cast<const std::int32_t*>(dense.data());
  if (std::all_of(values, values + dense.count(), [](std::int32_t value) { return value == 0; })) return {};
  return fail(Code::InvalidArgument, "the zero point of int32 must be 0");
}

Status compute_back(Call& call) {
  const Tensor* zero = call.input(2);
  const Tensor& y = call.outputs[0];
  BROADLOOM_TRY(x, readable(*call.inputs[0]));
  const Dtype computed = x.dtype == Dtype::float32 ? Dtype::float32 : Dtype::int32;
  BROADLOOM_TRY(scale, stretch(call, call.inputs[1], Dtype::float32));
  BROADLOOM_TRY(zeros, stretch(call, zero, computed));
  if (zero != nullptr && zero->dtype == Dtype::int32) BROADLOOM_CHECK(check_zeros(*zero));
  Program program;
  const Program::Value elements = program.convert(computed, operand_of(program, x));
  const Program::Value zero_points = zero == nullptr ? program.constant(0, elements) : operand_of(program, zeros);
  const Program::Value scales = operand_of(program, scale);
  Program::Value value;
  if (computed == Dtype::float32) {
    value = program.apply(Operation::subtract, elements, zero_points);
    value = program.apply(Operation::multiply, value, scales);
  } else {
    const Program::Value from[] = {elements, zero_points, scales};
    value = program.apply(dequantize, Dtype::float32, from);
  }
  return run_to(y, program, program.convert(y.dtype, value));
}

Program::Value elements_of_both(const Call&, Program& program, std::span<const Program::Value> inputs) {
  return program.apply(quantize_and_dequantize, Dtype::float32, inputs);
}

// ---- DynamicQuantizeLinear ----

Status prepare_dynamic(Call& call) {
  for (std::size_t i = 1; i < call.outputs.size(); ++i) call.outputs[i] = known_dims(call.output_types[i], {});
  return prepare(call);
}

// Maps the range of x and 0 to the range of uint8. If x is all 0, the scale is 1.
Status compute_dynamic(Call& call) {
  BROADLOOM_TRY(x, densify(*call.inputs[0]));
  float least;
  float greatest;
  BROADLOOM_CHECK(reduce({Operation::minimum}, x.dtype, reinterpret_cast<std::byte*>(&least), x.data(), {}, x.layout));
  BROADLOOM_CHECK(reduce({Operation::maximum}, x.dtype, reinterpret_cast<std::byte*>(&greatest), x.data(), {}, x.layout));
  const Tensor& scale = call.outputs[1];
  const Tensor& zero = call.outputs[2];
  const DynamicLevels levels = dynamic_levels(least, greatest);
  *reinterpret_cast<float*>(scale.data()) = levels.scale;
  *zero.data() = static_cast<std::byte>(levels.zero);
  return quantize_to(call, call.outputs[0], {scale, &zero, Dtype::float32});
}

}  // namespace

BROADLOOM_OPERATOR(op, dequantize_linear){
    .name = "DequantizeLinear",
    .versions = back_versions,
    .output_type = back_output_type,
    .prepare = prepare,
    .compute = compute_back,
    .traits = {.quantises = true},
    .kernels = loops(Operation::subtract, Operation::multiply),
};
BROADLOOM_OPERATOR(op, dynamic_quantize_linear){
    .name = "DynamicQuantizeLinear",
    .versions = dynamic_versions,
    .prepare = prepare_dynamic,
    .compute = compute_dynamic,
    .kernels = folds(Operation::minimum, Operation::maximum) | loops(Operation::minimum, Operation::maximum),
};
BROADLOOM_OPERATOR(op, quantize_linear){
    .name = "QuantizeLinear",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
    .traits = {.quantises = true},
    .kernels = loops(Operation::add, Operation::subtract, Operation::divide) | computed_in(Dtype::float64),
};

BROADLOOM_OPERATOR(op, quantized_and_dequantized){
    .name = "DequantizeLinear",
    .domain = "com.microsoft",
    .versions = both_versions,
    .prepare = prepare_like_input,
    .elements = elements_of_both,
};
BROADLOOM_OPERATOR(op::microsoft, dequantize_linear){
    .name = "DequantizeLinear",
    .domain = "com.microsoft",
    .versions = microsoft_back_versions,
    .output_type = back_output_type,
    .prepare = prepare,
    .compute = compute_back,
    .traits = {.quantises = true},
    .kernels = loops(Operation::subtract, Operation::multiply),
};
BROADLOOM_OPERATOR(op::microsoft, quantize_linear){
    .name = "QuantizeLinear",
    .domain = "com.microsoft",
    .versions = microsoft_versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
    .traits = {.quantises = true},
    .kernels = loops(Operation::add, Operation::subtract, Operation::divide),
};

}  // namespace broadloom
