// Min, Max, Sum and Mean of any number of tensors. ONNX: onnx/defs/math/defs.cc and old.cc.
#include "core/number.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/elementwise.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec consumed[] = {{"consumed_inputs", INTS}};
constexpr Parameter inputs[] = {{"data_0", T, Variadic}};
constexpr Parameter min_output[] = {{"min", T}};
constexpr Parameter max_output[] = {{"max", T}};
constexpr Parameter sum_output[] = {{"sum", T}};
constexpr Parameter mean_output[] = {{"mean", T}};

// The signatures of the first version and of later ones.
struct Signatures {
  constexpr explicit Signatures(std::span<const Parameter> output)
      : first{consumed, inputs, output, {T}}, later{{}, inputs, output, {T}} {}
  Signature first;
  Signature later;
};
constexpr Signatures min_signatures(min_output);
constexpr Signatures max_signatures(max_output);
constexpr Signatures sum_signatures(sum_output);
constexpr Signatures mean_signatures(mean_output);

constexpr std::array<OperatorVersion, 5> extremes(const Signatures& signatures) {
  return {{{1, &signatures.first, {types::floats}},
           {6, &signatures.later, {types::floats}},
           {8, &signatures.later, {types::floats}},
           {12, &signatures.later, {types::numbers}},
           {13, &signatures.later, {types::numbers | types::added_13}}}};
}
constexpr std::array<OperatorVersion, 4> sums(const Signatures& signatures) {
  return {{{1, &signatures.first, {types::floats}},
           {6, &signatures.later, {types::floats}},
           {8, &signatures.later, {types::floats}},
           {13, &signatures.later, {types::floats | types::added_13}}}};
}

constexpr auto min_versions = extremes(min_signatures);
constexpr auto max_versions = extremes(max_signatures);
constexpr auto sum_versions = sums(sum_signatures);
constexpr auto mean_versions = sums(mean_signatures);

// Inputs broadcast from version 8 on.
Status prepare(Call& call) {
  const Tensor& first = *call.inputs[0];
  for (const Tensor* input : call.inputs) {
    if (!input->is_ranked()) return {};
  }
  if (call.inputs.size() == 1) {
    BROADLOOM_TRY(shared, share(first));
    call.outputs[0] = std::move(shared);
    return {};
  }
  SymbolicDims dims = first.dims();
  for (const Tensor* input : call.inputs.subspan(1)) {
    const bool broadcasts = call.version.since_version >= 8;
    BROADLOOM_TRY(common, broadcasts ? broadcast_dims(dims, input->dims()) : equal_dims(dims, input->dims()));
    dims = std::move(common);
  }
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// For at least two inputs: symbolic sizes, or more inputs than a program supports.
Status compute(Call& call, Operation operation) {
  Tensor& output = call.outputs[0];
  const Tensor* first = call.inputs[0];
  for (const Tensor* input : call.inputs.subspan(1)) {
    BROADLOOM_CHECK(has_sizes(call) ? apply_to_sizes(call, operation, output, *first, *input)
                                    : apply(operation, output, *first, *input));
    first = &output;
  }
  return {};
}

template <Operation operation>
Status compute(Call& call) {
  return compute(call, operation);
}

using Value = Program::Value;

template <Operation operation>
Value elements(const Call&, Program& program, std::span<const Value> x) {
  Value result = x[0];
  for (const Value& input : x.subspan(1)) result = program.apply(operation, result, input);
  return result;
}

Value elements_of_mean(const Call& call, Program& program, std::span<const Value> x) {
  const Value sum = elements<Operation::add>(call, program, x);
  return program.apply(Operation::divide, sum, program.constant(static_cast<double>(x.size()), sum));
}

Status compute_mean(Call& call) {
  BROADLOOM_CHECK(compute(call, Operation::add));
  Tensor& output = call.outputs[0];
  BROADLOOM_TRY(count, make_tensor(output.dtype, {}));
  const auto number = static_cast<double>(call.inputs.size());
  BROADLOOM_CHECK(encode(output.dtype, {&number, 1}, count.data()));
  return apply(Operation::divide, output, output, count);
}

template <Operation operation>
constexpr Operator extreme(std::string_view name, std::span<const OperatorVersion> versions) {
  return {
      .name = name,
      .versions = versions,
      .prepare = prepare,
      .compute = compute<operation>,
      .elements = elements<operation>,
      .traits = {.is_identity_of_one = true, .computes_sizes = true},
      .kernels = loops(operation),
  };
}

}  // namespace

BROADLOOM_OPERATOR(op, max) = extreme<Operation::maximum>("Max", max_versions);
BROADLOOM_OPERATOR(op, mean){
    .name = "Mean",
    .versions = mean_versions,
    .prepare = prepare,
    .compute = compute_mean,
    .elements = elements_of_mean,
    .traits = {.is_identity_of_one = true},
    .kernels = loops(Operation::add, Operation::divide),
};
BROADLOOM_OPERATOR(op, min) = extreme<Operation::minimum>("Min", min_versions);
BROADLOOM_OPERATOR(op, sum){
    .name = "Sum",
    .versions = sum_versions,
    .prepare = prepare,
    .compute = compute<Operation::add>,
    .elements = elements<Operation::add>,
    .traits = {.is_identity_of_one = true},
    .kernels = loops(Operation::add),
};

}  // namespace broadloom
