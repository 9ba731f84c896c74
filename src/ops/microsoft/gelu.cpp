// com.microsoft: Gelu, FastGelu, QuickGelu and BiasGelu. onnxruntime: docs/ContribOperators.md.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/formula.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr AttributeSpec alpha[] = {with_default("alpha", AttributeType::FLOAT, 1.702F)};
constexpr Parameter inputs[] = {{"X", T}, {"bias", T, Option::Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Parameter bias_inputs[] = {{"A", T}, {"B", T}};
constexpr Parameter bias_outputs[] = {{"C", T}};
constexpr Signature plain{{}, std::span(inputs).first<1>(), outputs, {T}};
constexpr Signature with_alpha{alpha, std::span(inputs).first<1>(), outputs, {T}};
constexpr Signature with_optional_bias{{}, inputs, outputs, {T}};
constexpr Signature with_bias{{}, bias_inputs, bias_outputs, {T}};
constexpr OperatorVersion plain_versions[] = {{1, &plain, {types::floats_13}}};
constexpr OperatorVersion alpha_versions[] = {{1, &with_alpha, {types::floats_13}}};
constexpr OperatorVersion fast_versions[] = {{1, &with_optional_bias, {types::floats_13}}};
constexpr OperatorVersion bias_versions[] = {{1, &with_bias, {types::floats_13}}};

// A bias has one axis, the last one of the first input.
Status prepare(Call& call) {
  const Tensor& x = *call.inputs[0];
  const Tensor* bias = call.input(1);
  if (bias != nullptr && bias->is_ranked() && x.is_ranked()) {
    const SymbolicDims& dims = bias->dims();
    const std::size_t rank = x.dims().size();
    if (dims.size() != 1 || rank == 0 || differ(dims[0], x.dims()[rank - 1])) {
      return impossible("cannot add a bias of dims {} to {}, wanted its last size", dims.values(), x.dims().values());
    }
  }
  return prepare_like_input(call);
}

using Values = std::span<const Program::Value>;

Formula sum_of(Program& program, Values of) {
  const Formula x(program, of[0]);
  return of.size() > 1 && of[1].dtype != Dtype::undefined ? x + Formula(program, of[1]) : x;
}

Program::Value exact(const Call&, Program& program, Values of) { return gelu_of(sum_of(program, of), false).value(); }
Program::Value approximate(const Call&, Program& program, Values of) { return gelu_of(sum_of(program, of), true).value(); }
Program::Value quick(const Call& call, Program& program, Values of) {
  const Formula x(program, of[0]);
  return (x * (x * call.number("alpha")).apply(Operation::sigmoid)).value();
}

using Elements = Program::Value (*)(const Call&, Program&, Values);
constexpr Operator activation(std::string_view name, std::span<const OperatorVersion> versions, Elements elements) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = versions,
          .prepare = prepare,
          .elements = elements,
          .most_steps = 16,
          .kernels = gelu_kernels};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, bias_gelu) = activation("BiasGelu", bias_versions, exact);
BROADLOOM_OPERATOR(op::microsoft, fast_gelu) = activation("FastGelu", fast_versions, approximate);
BROADLOOM_OPERATOR(op::microsoft, gelu) = activation("Gelu", plain_versions, exact);
BROADLOOM_OPERATOR(op::microsoft, quick_gelu) = activation("QuickGelu", alpha_versions, quick);

}  // namespace broadloom
