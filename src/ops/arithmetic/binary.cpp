// Arithmetic, comparison and logic on two tensors that broadcast to each other. ONNX: onnx/defs/math and logical, defs.cc and
// old.cc, Add and so on.
#include "core/count.h"
#include "core/limits.h"
#include "core/strings.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

// ---- Schemas ----

constexpr AttributeSpec aligned_1[] = {{"axis", INT}, with_default("broadcast", INT, 0), {"consumed_inputs", INTS}};
constexpr AttributeSpec aligned[] = {{"axis", INT}, with_default("broadcast", INT, 0)};
constexpr AttributeSpec fmod_attribute[] = {with_default("fmod", INT, 0)};
constexpr Parameter inputs[] = {{"A", T}, {"B", T}};
constexpr Parameter number[] = {{"C", T}};
constexpr Parameter truth[] = {{"C", T1}};
constexpr Signature arithmetic_1{aligned_1, inputs, number, {T}};
constexpr Signature arithmetic_6{aligned, inputs, number, {T}};
constexpr Signature arithmetic_7{{}, inputs, number, {T}};
constexpr Signature mod_10{fmod_attribute, inputs, number, {T}};
constexpr Signature logic_1{aligned, inputs, truth, {T, T1}};
constexpr Signature logic_7{{}, inputs, truth, {T, T1}};

constexpr TypeSet numbers_13 = types::numbers | types::added_13;
constexpr TypeSet few = types::boolean | types::indices;
constexpr TypeSet boolean = types::boolean;

constexpr OperatorVersion arithmetic[] = {
    {1, &arithmetic_1, {types::floats}},       {6, &arithmetic_6, {types::wide_numbers}},
    {7, &arithmetic_7, {types::wide_numbers}}, {13, &arithmetic_7, {types::wide_numbers | types::added_13}},
    {14, &arithmetic_7, {numbers_13}},
};
constexpr OperatorVersion mod_versions[] = {{10, &mod_10, {types::numbers}}, {13, &mod_10, {numbers_13}}};
constexpr OperatorVersion logic[] = {{1, &logic_1, {boolean, boolean}}, {7, &logic_7, {boolean, boolean}}};
constexpr OperatorVersion bitwise[] = {{18, &arithmetic_7, {types::integers}}};

constexpr AttributeSpec shift_attributes[] = {{.name = "direction", .type = STRING, .required = true, .words = "LEFT RIGHT"}};
constexpr Parameter shift_inputs[] = {{"X", T}, {"Y", T}};
constexpr Parameter shift_output[] = {{"Z", T}};
constexpr Signature shift_11{shift_attributes, shift_inputs, shift_output, {T}};
constexpr OperatorVersion shift_versions[] = {{11, &shift_11, {types::uint8 | types::uint16 | types::uint32 | types::uint64}}};

constexpr Parameter power_inputs[] = {{"X", T}, {"Y", T1}};
constexpr Signature power_1{aligned, shift_inputs, shift_output, {T}};
constexpr Signature power_7{{}, shift_inputs, shift_output, {T}};
constexpr Signature power_12{{}, power_inputs, shift_output, {T, T1}};
constexpr TypeSet bases = types::floats | types::indices;
constexpr OperatorVersion power_versions[] = {
    {1, &power_1, {types::floats}},
    {7, &power_7, {types::floats}},
    {12, &power_12, {bases, types::numbers}},
    {13, &power_12, {bases | types::added_13, types::numbers}},
    {15, &power_12, {bases | types::added_13, numbers_13}},
};
constexpr OperatorVersion equal_versions[] = {
    {1, &logic_1, {few, boolean}},
    {7, &logic_7, {few, boolean}},
    {11, &logic_7, {types::fixed_size, boolean}},
    {13, &logic_7, {types::fixed_size | types::added_13, boolean}},
    {19, &logic_7, {types::fixed_size | types::added_13 | types::string, boolean}},
};
constexpr OperatorVersion order[] = {
    {1, &logic_1, {types::floats, boolean}},
    {7, &logic_7, {types::floats, boolean}},
    {9, &logic_7, {types::numbers, boolean}},
    {13, &logic_7, {numbers_13, boolean}},
};
constexpr OperatorVersion order_or_equal[] = {{12, &logic_7, {types::numbers, boolean}}, {16, &logic_7, {numbers_13, boolean}}};

// ---- Dims ----

bool is_aligned(const Call& call) { return find_spec(call.version, "broadcast") != nullptr; }

// The second input. Versions before 7 broadcast only on request, and only B, whose first axis is A's `axis`; without that
// attribute their last axes are aligned. So B gets axes of size 1 at its end.
Result<Tensor> second_of(const Call& call) {
  const Tensor& b = *call.inputs[1];
  if (!is_aligned(call) || call.attributes.find("axis") == nullptr || call.integer("broadcast") == 0) return b;
  const auto rank = static_cast<std::int64_t>(call.inputs[0]->dims().size());
  const auto own = static_cast<std::int64_t>(b.dims().size());
  const std::int64_t given = call.integer("axis");
  // The sum of two numbers may overflow.
  const std::int64_t axis = given < 0 && given >= -rank ? given + rank : given;
  if (axis < 0 || axis > rank - own) {
    return fail(Code::InvalidArgument, "cannot broadcast {} to {} from axis {} on", b.dims().values(),
                call.inputs[0]->dims().values(), given);
  }
  LayoutRef layout(SymbolicDims(in_memory(rank - axis), 1));
  for (std::size_t i = 0; i < b.dims().size(); ++i) {
    layout.edit().dims[i] = b.dims()[i];
    layout.edit().strides[i] = b.layout->strides[i];
  }
  return Tensor{b.dtype, std::move(layout), b.storage, b.offset};
}

Result<SymbolicDims> dims_of(const Call& call) {
  const SymbolicDims& a = call.inputs[0]->dims();
  const SymbolicDims& b = call.inputs[1]->dims();
  if (!is_aligned(call)) return broadcast_dims(a, b);
  if (call.integer("broadcast") == 0) return equal_dims(a, b);
  BROADLOOM_TRY(second, second_of(call));
  BROADLOOM_TRY(dims, broadcast_dims(a, second.dims()));
  bool is_stretched = dims.size() != a.size();
  for (std::size_t i = 0; !is_stretched && i < a.size(); ++i) is_stretched = a[i].is_number() && a[i] != dims[i];
  if (!is_stretched) return a;
  return fail(Code::InvalidArgument, "cannot broadcast {} to {}: only B is stretched", b.values(), a.values());
}

Status prepare(Call& call) {
  if (!call.inputs[0]->is_ranked() || !call.inputs[1]->is_ranked()) return {};
  BROADLOOM_TRY(dims, dims_of(call));
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// ---- Elements ----

// Compares strings.
Status equal_strings(Tensor& output, const Tensor& a, const Tensor& b) {
  const auto stretched = [&](const Tensor& tensor) {
    return densify({tensor.dtype, broadcast_to(tensor.layout, output.dims()), tensor.storage, tensor.offset});
  };
  BROADLOOM_TRY(first, stretched(a));
  BROADLOOM_TRY(second, stretched(b));
  const auto* firsts = reinterpret_cast<const StringRef*>(first.data());
  const auto* seconds = reinterpret_cast<const StringRef*>(second.data());
  const std::int64_t count = output.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string_view one = string_at(first, firsts[i]);
    const std::string_view other = string_at(second, seconds[i]);
    output.data()[i] = static_cast<std::byte>(one.size() == other.size() && compare_strings(one, other) == 0);
    BROADLOOM_CHECK(Watch::check(1 + static_cast<double>(one.size()) / 4));
  }
  return {};
}

Status compute(Call& call, Operation operation, bool is_swapped) {
  BROADLOOM_TRY(second, second_of(call));
  const Tensor* a = call.inputs[0];
  const Tensor* b = &second;
  if (is_swapped) std::swap(a, b);
  if (has_sizes(call)) return apply_to_sizes(call, operation, call.outputs[0], *a, *b);
  if (a->dtype == Dtype::string) return equal_strings(call.outputs[0], *a, *b);
  return apply(operation, call.outputs[0], *a, *b);
}

template <Operation operation, bool is_swapped = false>
Status compute(Call& call) {
  return compute(call, operation, is_swapped);
}

using Value = Program::Value;

template <Operation operation, bool is_swapped = false>
Value elements(const Call&, Program& program, std::span<const Value> x) {
  return program.apply(operation, x[is_swapped ? 1 : 0], x[is_swapped ? 0 : 1]);
}

Status prepare_mod(Call& call) {
  const Dtype dtype = call.inputs[0]->dtype;
  // Before a run, the type may be unknown.
  const bool may_be_integer = types::integers.contains(dtype) || dtype == Dtype::undefined;
  if (may_be_integer || call.integer("fmod") == 1) return prepare(call);
  return fail(Code::InvalidArgument, "attribute 'fmod' is {}, wanted 1 for {}", call.integer("fmod"), dtype);
}

Value elements_of_mod(const Call& call, Program& program, std::span<const Value> x) {
  const Operation operation = call.integer("fmod") == 1 ? Operation::remainder : Operation::modulo;
  return program.apply(operation, x[0], x[1]);
}

Value elements_of_shift(const Call& call, Program& program, std::span<const Value> x) {
  return program.apply(call.word("direction") == "LEFT" ? Operation::shift_left : Operation::shift_right, x[0], x[1]);
}

// Powers of two types are computed in a type that represents both operands, if there is one. Integer powers wrap around. With
// an integer base, other powers drop their fraction.
Dtype power_type(Dtype base, Dtype exponent) {
  if (base == exponent) return base;
  if (types::integers.contains(base) && types::integers.contains(exponent)) return Dtype::int64;
  const bool is_wide = std::max(info(base).bits, info(exponent).bits) == 64 || types::indices.contains(base) ||
                       exponent == Dtype::int32 || exponent == Dtype::uint32;
  return is_wide ? Dtype::float64 : Dtype::float32;
}

// The exponent, if there is one for all.
std::optional<double> single_exponent(const Call& call) {
  const Tensor& exponent = *call.inputs[1];
  if (!exponent.has_elements() || exponent.count() != 1) return {};
  double power;
  convert(reinterpret_cast<std::byte*>(&power), Dtype::float64, exponent.data(), exponent.dtype, 1);
  return power;
}

// Squares, which decomposed normalisations have, equal powers and take a fortieth of the time. Cubes, which decomposed Gelus
// have, are rounded once from float64, and take a seventh.
Value elements_of_power(const Call& call, Program& program, std::span<const Value> x) {
  const std::optional<double> exponent = single_exponent(call);
  if (exponent == 2) return program.apply(Operation::multiply, x[0], x[0]);
  if (exponent == 3 && x[0].dtype == Dtype::float32) {
    const Value base = program.convert(Dtype::float64, x[0]);
    const Value square = program.apply(Operation::multiply, base, base);
    return program.convert(Dtype::float32, program.apply(Operation::multiply, square, base));
  }
  const Dtype dtype = power_type(x[0].dtype, x[1].dtype);
  if (x[0].dtype == x[1].dtype) return program.apply(Operation::power, x[0], x[1]);
  Value power = program.apply(Operation::power, program.convert(dtype, x[0]), program.convert(dtype, x[1]));
  // There are no loops from float64 to half types.
  if (is_half(x[0].dtype)) power = program.convert(Dtype::float32, power);
  return program.convert(x[0].dtype, power);
}

template <Operation operation, bool is_swapped = false>
constexpr Operator binary(std::string_view name, std::span<const OperatorVersion> versions) {
  const bool is_of_bools = operation >= Operation::bit_and && operation <= Operation::bit_xor;
  return {
      .name = name,
      .versions = versions,
      .prepare = prepare,
      .compute = compute<operation, is_swapped>,
      .elements = elements<operation, is_swapped>,
      .traits = {.computes_sizes = !is_of_bools},
      .kernels = loops(operation),
  };
}

}  // namespace

BROADLOOM_OPERATOR(op, add) = binary<Operation::add>("Add", arithmetic);
BROADLOOM_OPERATOR(op, logical_and) = binary<Operation::bit_and>("And", logic);
BROADLOOM_OPERATOR(op, bit_shift){
    .name = "BitShift",
    .versions = shift_versions,
    .prepare = prepare,
    .elements = elements_of_shift,
    .kernels = loops(Operation::shift_left, Operation::shift_right),
};
BROADLOOM_OPERATOR(op, bitwise_and) = binary<Operation::bit_and>("BitwiseAnd", bitwise);
BROADLOOM_OPERATOR(op, bitwise_or) = binary<Operation::bit_or>("BitwiseOr", bitwise);
BROADLOOM_OPERATOR(op, bitwise_xor) = binary<Operation::bit_xor>("BitwiseXor", bitwise);
BROADLOOM_OPERATOR(op, div) = binary<Operation::divide>("Div", arithmetic);
BROADLOOM_OPERATOR(op, equal) = binary<Operation::equal>("Equal", equal_versions);
BROADLOOM_OPERATOR(op, greater) = binary<Operation::less, true>("Greater", order);
BROADLOOM_OPERATOR(op, greater_or_equal) = binary<Operation::less_or_equal, true>("GreaterOrEqual", order_or_equal);
BROADLOOM_OPERATOR(op, less) = binary<Operation::less>("Less", order);
BROADLOOM_OPERATOR(op, less_or_equal) = binary<Operation::less_or_equal>("LessOrEqual", order_or_equal);
BROADLOOM_OPERATOR(op, mod){
    .name = "Mod",
    .versions = mod_versions,
    .prepare = prepare_mod,
    .elements = elements_of_mod,
    .kernels = loops(Operation::remainder, Operation::modulo),
};
BROADLOOM_OPERATOR(op, mul) = binary<Operation::multiply>("Mul", arithmetic);
BROADLOOM_OPERATOR(op, logical_or) = binary<Operation::bit_or>("Or", logic);
BROADLOOM_OPERATOR(op, pow){
    .name = "Pow",
    .versions = power_versions,
    .prepare = prepare,
    .compute = compute<Operation::power>,
    .elements = elements_of_power,
    .most_steps = 14,
    .inputs_asked_for = inputs_at({1}),
    .kernels = loops(Operation::multiply, Operation::power) | computed_in(Dtype::float32 | Dtype::float64),
};
BROADLOOM_OPERATOR(op, sub) = binary<Operation::subtract>("Sub", arithmetic);
BROADLOOM_OPERATOR(op, logical_xor) = binary<Operation::bit_xor>("Xor", logic);

}  // namespace broadloom
