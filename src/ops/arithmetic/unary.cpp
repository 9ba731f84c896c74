// Operators of one tensor, element by element. ONNX: onnx/defs/math and logical, defs.cc and old.cc.
#include "core/count.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/formula.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

// ---- Schemas ----

constexpr AttributeSpec consumed[] = {{"consumed_inputs", INTS}};
constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Parameter inputs_in_words[] = {{"input", T}};
constexpr Parameter outputs_in_words[] = {{"output", T}};
constexpr Signature signature_1{consumed, inputs, outputs, {T}};
constexpr Signature signature{{}, inputs, outputs, {T}};
constexpr Signature in_words_1{consumed, inputs_in_words, outputs_in_words, {T}};
constexpr Signature in_words{{}, inputs_in_words, outputs_in_words, {T}};

constexpr TypeSet signed_numbers = types::floats | types::int8 | types::int16 | types::int32 | types::int64;
constexpr TypeSet unsigned_numbers = types::uint8 | types::uint16 | types::uint32 | types::uint64;

// `allowed` are the types of version 6.
constexpr std::array<OperatorVersion, 3> versions_for(TypeSet allowed) {
  return {{{1, &signature_1, {types::floats}}, {6, &signature, {allowed}}, {13, &signature, {allowed | types::added_13}}}};
}
constexpr auto of_floats = versions_for(types::floats);
constexpr auto of_signed = versions_for(signed_numbers);
constexpr auto of_numbers = versions_for(types::numbers);
constexpr OperatorVersion of_bools[] = {{1, &signature, {types::boolean}}};
constexpr OperatorVersion of_integers[] = {{18, &signature, {types::integers}}};
constexpr OperatorVersion of_words[] = {
    {1, &in_words_1, {types::floats}}, {6, &in_words, {types::floats}}, {13, &in_words, {types::floats_13}}};

// Two versions. The second adds bfloat16.
constexpr std::array<OperatorVersion, 2> pair(int first, int second, const Signature& both) {
  return {{{first, &both, {types::floats}}, {second, &both, {types::floats_13}}}};
}
constexpr auto from_7 = pair(7, 22, in_words);
constexpr auto from_9 = pair(9, 22, in_words);
constexpr auto round_versions = pair(11, 22, signature);
constexpr auto softplus_versions = pair(1, 22, signature);
constexpr OperatorVersion erf_versions[] = {{9, &in_words, {types::numbers}}, {13, &in_words, {types::floats_13}}};
constexpr OperatorVersion sign_versions[] = {{9, &in_words, {types::numbers}},
                                             {13, &in_words, {types::numbers | types::added_13}}};

constexpr AttributeSpec infinities[] = {with_default("detect_negative", INT, 1), with_default("detect_positive", INT, 1)};
constexpr Parameter tested[] = {{"X", T1}};
constexpr Parameter truth[] = {{"Y", T2}};
constexpr Signature nan_signature{{}, tested, truth, {T1, T2}};
constexpr Signature inf_signature{infinities, tested, truth, {T1, T2}};
constexpr TypeSet float8 = types::added_19;
constexpr OperatorVersion nan_versions[] = {{9, &nan_signature, {types::floats, types::boolean}},
                                            {13, &nan_signature, {types::floats_13, types::boolean}},
                                            {20, &nan_signature, {types::floats_13 | float8, types::boolean}}};
constexpr OperatorVersion inf_versions[] = {{10, &inf_signature, {types::float32 | types::float64, types::boolean}},
                                            {20, &inf_signature, {types::floats_13 | float8, types::boolean}}};

// ---- Dims ----

// An unsigned element is its own absolute value.
Status prepare_abs(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!unsigned_numbers.contains(input.dtype) || !input.is_ranked()) return prepare_like_input(call);
  BROADLOOM_TRY(shared, share(input));
  call.outputs[0] = std::move(shared);
  return {};
}

// ---- Elements ----

using Value = Program::Value;

template <Operation operation>
Value elements(const Call&, Program& program, std::span<const Value> x) {
  return program.apply(operation, x[0]);
}

Value elements_of_abs(const Call& call, Program& program, std::span<const Value> x) {
  return unsigned_numbers.contains(x[0].dtype) ? x[0] : elements<Operation::absolute>(call, program, x);
}

// For an integer above 5, erf is 1 in the widest type. For a smaller one, the fraction is dropped.
Formula erf(const Call&, const Formula& x) {
  if (!types::integers.contains(x.value().dtype)) return x.apply(Operation::erf);
  const Formula zero = x.number(0);
  const bool has_sign = !unsigned_numbers.contains(x.value().dtype);
  return select(x > 5, x.number(1), has_sign ? select(x < -5, x.number(-1), zero) : zero);
}

Formula is_inf(const Call& call, const Formula& x) {
  const bool is_positive = call.integer("detect_positive") != 0;
  const bool is_negative = call.integer("detect_negative") != 0;
  if (is_positive && is_negative) return x.apply(Operation::is_infinite);
  if (is_positive) return x.apply(Operation::is_positive_infinity);
  if (is_negative) return x.apply(Operation::is_negative_infinity);
  const Formula is_nan = x.apply(Operation::is_nan);
  return is_nan.apply(Operation::bit_xor, is_nan);
}

Status compute_neg(Call& call) {
  return apply_to_sizes(call, Operation::negate, call.outputs[0], *call.inputs[0], *call.inputs[0]);
}

// Computes float8 types as float32, which represents all their elements.
template <Value (*elements)(const Call& call, Program& program, std::span<const Value> x)>
Status compute_float8(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  BROADLOOM_TRY(wide, make_tensor(Dtype::float32, input.dims()));
  const auto count = in_memory(input.count());
  BROADLOOM_CHECK(convert_watched(wide.data(), wide.dtype, input.data(), input.dtype, count));
  Program program;
  const Value x = add_operand(program, wide, wide.dims());
  return program.run(elements(call, program, {&x, 1}), call.outputs[0].data(), count);
}

using Elements = Value (*)(const Call& call, Program& program, std::span<const Value> x);

template <Operation operation>
constexpr Operator unary(std::string_view name, std::span<const OperatorVersion> versions, Traits traits = {}) {
  return {
      .name = name,
      .versions = versions,
      .prepare = prepare_like_input,
      .elements = elements<operation>,
      .traits = traits,
      .kernels = loops(operation),
  };
}

template <Elements elements>
constexpr Operator test(std::string_view name, std::span<const OperatorVersion> versions, Kernels kernels) {
  return {
      .name = name,
      .versions = versions,
      .prepare = prepare_like_input,
      .compute = compute_float8<elements>,
      .elements = elements,
      .most_steps = 5,
      .kernels = kernels,
  };
}

constexpr Kernels inf_kernels = loops(Operation::is_infinite, Operation::is_positive_infinity, Operation::is_negative_infinity,
                                      Operation::is_nan, Operation::bit_xor);

}  // namespace

BROADLOOM_OPERATOR(op, abs){
    .name = "Abs",
    .versions = of_numbers,
    .prepare = prepare_abs,
    .elements = elements_of_abs,
    .traits = {.is_idempotent = true},
    .kernels = loops(Operation::absolute),
};
BROADLOOM_OPERATOR(op, acos) = unary<Operation::acos>("Acos", from_7);
BROADLOOM_OPERATOR(op, acosh) = unary<Operation::acosh>("Acosh", from_9);
BROADLOOM_OPERATOR(op, asin) = unary<Operation::asin>("Asin", from_7);
BROADLOOM_OPERATOR(op, asinh) = unary<Operation::asinh>("Asinh", from_9);
BROADLOOM_OPERATOR(op, atan) = unary<Operation::atan>("Atan", from_7);
BROADLOOM_OPERATOR(op, atanh) = unary<Operation::atanh>("Atanh", from_9);
BROADLOOM_OPERATOR(op, bitwise_not) = unary<Operation::bit_not>("BitwiseNot", of_integers);
BROADLOOM_OPERATOR(op, ceil) = unary<Operation::ceil>("Ceil", of_floats, {.is_idempotent = true});
BROADLOOM_OPERATOR(op, cos) = unary<Operation::cos>("Cos", from_7);
BROADLOOM_OPERATOR(op, cosh) = unary<Operation::cosh>("Cosh", from_9);
BROADLOOM_OPERATOR(op, erf){
    .name = "Erf",
    .versions = erf_versions,
    .prepare = prepare_like_input,
    .elements = elements_of<broadloom::erf>,
    .most_steps = 10,
    .kernels = loops(Operation::erf, Operation::less),
};
BROADLOOM_OPERATOR(op, exp) = unary<Operation::exp>("Exp", of_words);
BROADLOOM_OPERATOR(op, floor) = unary<Operation::floor>("Floor", of_floats, {.is_idempotent = true});
BROADLOOM_OPERATOR(op, is_inf) = test<elements_of<broadloom::is_inf>>("IsInf", inf_versions, inf_kernels);
BROADLOOM_OPERATOR(op, is_nan) = test<elements<Operation::is_nan>>("IsNaN", nan_versions, loops(Operation::is_nan));
BROADLOOM_OPERATOR(op, log) = unary<Operation::log>("Log", of_words);
BROADLOOM_OPERATOR(op, neg){
    .name = "Neg",
    .versions = of_signed,
    .prepare = prepare_like_input,
    .compute = compute_neg,
    .elements = elements<Operation::negate>,
    .traits = {.computes_sizes = true},
    .kernels = loops(Operation::negate),
};
BROADLOOM_OPERATOR(op, logical_not) = unary<Operation::logical_not>("Not", of_bools);
BROADLOOM_OPERATOR(op, reciprocal) = unary<Operation::reciprocal>("Reciprocal", of_floats);
BROADLOOM_OPERATOR(op, round) = unary<Operation::round>("Round", round_versions, {.is_idempotent = true});
BROADLOOM_OPERATOR(op, sigmoid) = unary<Operation::sigmoid>("Sigmoid", of_floats);
BROADLOOM_OPERATOR(op, sign) = unary<Operation::sign>("Sign", sign_versions, {.is_idempotent = true});
BROADLOOM_OPERATOR(op, sin) = unary<Operation::sin>("Sin", from_7);
BROADLOOM_OPERATOR(op, sinh) = unary<Operation::sinh>("Sinh", from_9);
BROADLOOM_OPERATOR(op, softplus) = unary<Operation::softplus>("Softplus", softplus_versions);
BROADLOOM_OPERATOR(op, sqrt) = unary<Operation::square_root>("Sqrt", of_floats);
BROADLOOM_OPERATOR(op, tan) = unary<Operation::tan>("Tan", from_7);
BROADLOOM_OPERATOR(op, tanh) = unary<Operation::tanh>("Tanh", of_words);

}  // namespace broadloom
