// Operators of one tensor, element by element. ONNX: onnx/defs/math and logical, defs.cc and old.cc.
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/elementwise.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec consumed[] = {{"consumed_inputs", INTS}};
constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature_1{consumed, inputs, outputs, {T}};
constexpr Signature signature{{}, inputs, outputs, {T}};

constexpr TypeSet signed_numbers = types::floats | types::int8 | types::int16 | types::int32 | types::int64;
constexpr TypeSet unsigned_numbers = types::uint8 | types::uint16 | types::uint32 | types::uint64;

// `numbers`: what version 6 allows.
constexpr std::array<OperatorVersion, 3> versions_for(TypeSet numbers) {
  return {{{1, &signature_1, {types::floats}}, {6, &signature, {numbers}}, {13, &signature, {numbers | types::added_13}}}};
}
constexpr auto of_floats = versions_for(types::floats);
constexpr auto of_signed = versions_for(signed_numbers);
constexpr auto of_numbers = versions_for(types::floats | types::integers);
constexpr OperatorVersion of_bools[] = {{1, &signature, {types::boolean}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (input.is_ranked()) call.outputs[0] = known_dims(input.dtype, input.dims());
  return {};
}

using Value = Program::Value;

template <Operation operation>
Value elements(const Call&, Program& program, std::span<const Value> x) {
  return program.apply(operation, x[0]);
}

// What has no sign is its own absolute value.
Status prepare_abs(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!unsigned_numbers.contains(input.dtype) || !input.is_ranked()) return prepare(call);
  BROADLOOM_TRY(shared, share(input));
  call.outputs[0] = std::move(shared);
  return {};
}

Value elements_of_abs(const Call& call, Program& program, std::span<const Value> x) {
  return unsigned_numbers.contains(x[0].dtype) ? x[0] : elements<Operation::absolute>(call, program, x);
}

Status compute_neg(Call& call) {
  return apply_to_sizes(call, Operation::negate, call.outputs[0], *call.inputs[0], *call.inputs[0]);
}

using Elements = Value (*)(const Call& call, Program& program, std::span<const Value> x);

constexpr Operator unary(std::string_view name, std::span<const OperatorVersion> versions, Elements elements) {
  return {name, versions, nullptr, prepare, nullptr, 0, nullptr, false, elements};
}

}  // namespace

constinit const Operator op::abs{"Abs", of_numbers, nullptr, prepare_abs, nullptr, 0, nullptr, false, elements_of_abs};
constinit const Operator op::ceil = unary("Ceil", of_floats, elements<Operation::ceil>);
constinit const Operator op::floor = unary("Floor", of_floats, elements<Operation::floor>);
constinit const Operator op::neg{
    "Neg", of_signed, nullptr, prepare, compute_neg, 0, nullptr, true, elements<Operation::negate>};
constinit const Operator op::logical_not = unary("Not", of_bools, elements<Operation::logical_not>);
constinit const Operator op::sqrt = unary("Sqrt", of_floats, elements<Operation::square_root>);

}  // namespace broadloom
