// Clip: limits elements to bounds. ONNX: onnx/defs/math/defs.cc and old.cc, Clip. If the bounds are in the wrong order, the
// result is the upper one.
#include <limits>

#include "core/text.h"
#include "ops/call/operator.h"
#include "ops/formula.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr float largest = std::numeric_limits<float>::max();
constexpr AttributeSpec attributes_1[] = {{"consumed_inputs", INTS}, {"max", FLOAT}, {"min", FLOAT}};
constexpr AttributeSpec attributes_6[] = {with_default("max", FLOAT, largest), with_default("min", FLOAT, -largest)};
constexpr Parameter inputs_1[] = {{"input", T}};
constexpr Parameter inputs_11[] = {{"input", T}, {"min", T, Optional}, {"max", T, Optional}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs, {T}};
constexpr Signature signature_6{attributes_6, inputs_1, outputs, {T}};
constexpr Signature signature_11{{}, inputs_11, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},
    {6, &signature_6, {types::floats}},
    {11, &signature_11, {types::floats}},
    {12, &signature_11, {types::numbers}},
    {13, &signature_11, {types::numbers | types::added_13}},
};

Status prepare(Call& call) {
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    const Tensor* bound = call.input(i);
    if (bound == nullptr || !bound->is_ranked() || bound->dims().size() == 0) continue;
    if (bound->dims().size() == 1 && (bound->dims()[0] == 1 || !bound->dims()[0].is_number())) continue;
    return fail(Code::InvalidArgument, "input '{}' has dims {}, wanted one element", inputs_11[i].name, bound->dims().values());
  }
  return prepare_like_input(call);
}

Program::Value elements(const Call& call, Program& program, std::span<const Program::Value> x) {
  const Formula input(program, x[0]);
  const auto bound = [&](std::size_t i) -> std::optional<Formula> {
    if (i < x.size() && x[i].dtype != Dtype::undefined) return Formula(program, x[i]);
    const AttributeSpec* spec = find_spec(call.version, inputs_11[i].name);
    const bool is_given = spec != nullptr && (spec->default_number || call.attributes.find(spec->name) != nullptr);
    return is_given ? std::optional(input.number(call.number(spec->name))) : std::nullopt;
  };
  Formula result = input;
  if (const auto least = bound(1)) result = result.apply(Operation::maximum, *least);
  if (const auto most = bound(2)) result = result.apply(Operation::minimum, *most);
  return result.value();
}

}  // namespace

BROADLOOM_OPERATOR(op, clip){
    .name = "Clip",
    .versions = versions,
    .prepare = prepare,
    .elements = elements,
    .most_steps = 6,
    .kernels = loops(Operation::minimum, Operation::maximum),
};

}  // namespace broadloom
