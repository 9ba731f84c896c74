#include "ops/number_operand.h"

#include "core/decimal.h"
#include "core/number.h"
#include "core/text.h"

namespace broadloom {
namespace {

using Kind = OperandNumber::Kind;

// The type of the first input of this type variable, or of any if it is none.
Dtype type_of_input(const OperatorVersion& version, std::span<const Tensor* const> inputs, TypeVariable variable) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Parameter* parameter = parameter_at(version.inputs(), i);
    if (inputs[i] == nullptr || parameter == nullptr || parameter->variable == TypeVariable::none) continue;
    if (variable == TypeVariable::none || parameter->variable == variable) return inputs[i]->dtype;
  }
  return Dtype::undefined;
}

Dtype type_of(const OperandNumber& number, const Parameter& parameter, const OperatorVersion& version,
              std::span<const Tensor* const> inputs) {
  if (parameter.variable == TypeVariable::none) return parameter.type;
  if (parameter.is_homogeneous) {
    const Dtype given = type_of_input(version, inputs, parameter.variable);
    if (given != Dtype::undefined) return given;
  }
  const Dtype other = type_of_input(version, inputs, TypeVariable::none);
  const Dtype candidates[] = {number.kind == Kind::boolean ? Dtype::boolean : Dtype::undefined,
                              other == Dtype::boolean ? Dtype::undefined : other,
                              number.kind == Kind::number ? Dtype::float32 : Dtype::undefined, Dtype::int64};
  for (const Dtype candidate : candidates) {
    if (candidate != Dtype::undefined && version.types_of(parameter).contains(candidate)) return candidate;
  }
  return Dtype::undefined;
}

bool encode_number(const OperandNumber& number, Dtype dtype, std::byte* to) {
  if (number.kind == Kind::bigint && (dtype == Dtype::int64 || dtype == Dtype::uint64)) {
    *reinterpret_cast<std::uint64_t*>(to) = number.bits;
    const bool has_high_bit = number.bits >> 63 != 0;
    return dtype == Dtype::int64 ? has_high_bit == number.is_negative() : !number.is_negative();
  }
  const auto most = static_cast<double>(max_count);
  if (number.kind == Kind::bigint && (number.number < -most || number.number > most)) return false;
  if (number.kind == Kind::boolean && dtype != Dtype::boolean) return false;
  const double values[] = {number.number, 0};  // complex types take two
  const std::size_t count = info(dtype).kind == DtypeKind::complex ? 2 : 1;
  return static_cast<bool>(encode(dtype, {values, count}, to));
}

Failure cannot_hold(const OperandNumber& number, Dtype dtype, const Parameter& parameter, std::size_t index) {
  char digits[Decimal::longest];
  Part value(number.number);
  if (number.kind == Kind::boolean) value = Part(number.number != 0 ? "true" : "false");
  if (number.kind == Kind::bigint) {
    const bool is_negative = number.is_negative();
    digits[0] = '-';
    const std::size_t start = is_negative ? 1 : 0;
    const std::size_t size = Decimal(is_negative ? 0 - number.bits : number.bits).write(digits + start, 20);
    value = Part(std::string_view(digits, start + size));
  }
  if (dtype == Dtype::undefined) {
    return fail(Code::InvalidArgument, "input {} ({}) is {}, which does not say its element type: give a tensor", index,
                quoted(parameter.name), value);
  }
  return fail(Code::InvalidArgument, "input {} ({}) is {}, which {} cannot hold", index, quoted(parameter.name), value, dtype);
}

}  // namespace

Result<Dtype> encode_operand(const OperatorVersion& version, std::span<const Tensor* const> inputs, std::size_t index,
                             const OperandNumber& number, std::byte* to) {
  const Parameter& parameter = *parameter_at(version.inputs(), index);
  const Dtype dtype = type_of(number, parameter, version, inputs);
  const bool fits = dtype != Dtype::undefined && dtype != Dtype::string && encode_number(number, dtype, to);
  if (!fits) return cannot_hold(number, dtype, parameter, index);
  return dtype;
}

}  // namespace broadloom
