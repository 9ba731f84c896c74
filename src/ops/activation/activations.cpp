// Activation functions that are formulas of several functions. ONNX: onnx/defs/math/defs.cc, old.cc and
// onnx/defs/nn/defs.cc.
#include <cmath>

#include "ops/activation/activation_formulas.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Operation;
using enum TypeVariable;

// ---- Schemas ----

constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Parameter inputs_in_words[] = {{"input", T}};
constexpr Parameter outputs_in_words[] = {{"output", T}};
constexpr TypeSet floats = types::floats;
constexpr TypeSet floats_13 = floats | types::added_13;

constexpr Signature with(std::span<const AttributeSpec> attributes) { return {attributes, inputs, outputs, {T}}; }
constexpr std::array<OperatorVersion, 2> from_version(int first, int second, const Signature& signature) {
  return {{{first, &signature, {floats}}, {second, &signature, {floats_13}}}};
}

constexpr AttributeSpec consumed[] = {{"consumed_inputs", INTS}};
constexpr Signature plain = with({});
constexpr Signature plain_1 = with(consumed);
constexpr OperatorVersion relu_versions[] = {
    {1, &plain_1, {floats}},
    {6, &plain, {floats}},
    {13, &plain, {floats_13}},
    {14, &plain, {floats_13 | types::int8 | types::int16 | types::int32 | types::int64}},
};
constexpr auto from_14 = from_version(14, 22, plain);
constexpr auto from_18 = from_version(18, 22, plain);
constexpr Signature in_words{{}, inputs_in_words, outputs_in_words, {T}};
constexpr auto from_1 = from_version(1, 22, in_words);

constexpr AttributeSpec leaky_attributes[] = {with_default("alpha", FLOAT, 0.01F), {"consumed_inputs", INTS}};
constexpr Signature leaky_1 = with(leaky_attributes);
constexpr Signature leaky = with(std::span(leaky_attributes).first<1>());
constexpr OperatorVersion leaky_versions[] = {{1, &leaky_1, {floats}}, {6, &leaky, {floats}}, {16, &leaky, {floats_13}}};

constexpr AttributeSpec alpha_attributes[] = {with_default("alpha", FLOAT, 1), {"consumed_inputs", INTS}};
constexpr Signature with_alpha_1 = with(alpha_attributes);
constexpr Signature with_alpha = with(std::span(alpha_attributes).first<1>());
constexpr OperatorVersion elu_versions[] = {
    {1, &with_alpha_1, {floats}}, {6, &with_alpha, {floats}}, {22, &with_alpha, {floats_13}}};
constexpr OperatorVersion celu_versions[] = {{12, &with_alpha, {types::float32}}, {28, &with_alpha, {floats_13}}};
constexpr OperatorVersion swish_versions[] = {{24, &with_alpha, {floats_13}}};
constexpr auto thresholded_versions = from_version(10, 22, with_alpha);

constexpr AttributeSpec selu_attributes_1[] = {
    with_default("alpha", FLOAT, 1.6732F), {"consumed_inputs", INTS}, with_default("gamma", FLOAT, 1.0507F)};
constexpr AttributeSpec selu_attributes_6[] = {with_default("alpha", FLOAT, 1.67326319217681884765625F),
                                               with_default("gamma", FLOAT, 1.05070102214813232421875F)};
constexpr Signature selu_1 = with(selu_attributes_1);
constexpr Signature selu_6 = with(selu_attributes_6);
constexpr OperatorVersion selu_versions[] = {{1, &selu_1, {floats}}, {6, &selu_6, {floats}}, {22, &selu_6, {floats_13}}};

constexpr AttributeSpec sigmoid_attributes[] = {
    with_default("alpha", FLOAT, 0.2F), with_default("beta", FLOAT, 0.5F), {"consumed_inputs", INTS}};
constexpr Signature sigmoid_1 = with(sigmoid_attributes);
constexpr Signature sigmoid_6 = with(std::span(sigmoid_attributes).first<2>());
constexpr OperatorVersion hard_sigmoid_versions[] = {
    {1, &sigmoid_1, {floats}}, {6, &sigmoid_6, {floats}}, {22, &sigmoid_6, {floats_13}}};

constexpr AttributeSpec gelu_attributes[] = {one_of("approximate", "none tanh")};
constexpr Signature gelu_20 = with(gelu_attributes);
constexpr OperatorVersion gelu_versions[] = {{20, &gelu_20, {floats_13}}};

constexpr AttributeSpec shrink_attributes[] = {with_default("bias", FLOAT, 0), with_default("lambd", FLOAT, 0.5F)};
constexpr Signature shrink_9{shrink_attributes, inputs_in_words, outputs_in_words, {T}};
constexpr OperatorVersion shrink_versions[] = {{9, &shrink_9, {types::integers | floats}}};

// ---- Formulas ----

Formula relu(const Call&, const Formula& x) { return formulas::relu(x); }

Formula leaky_relu(const Call& call, const Formula& x) { return formulas::leaky_relu(x, call.number("alpha")); }

Formula thresholded_relu(const Call& call, const Formula& x) { return select(x > call.number("alpha"), x, x.number(0)); }

Formula elu(const Call& call, const Formula& x) { return formulas::elu(x, call.number("alpha")); }

Formula selu(const Call& call, const Formula& x) { return elu(call, x) * call.number("gamma"); }

Formula celu(const Call& call, const Formula& x) {
  const double alpha = call.number("alpha");
  return max(x, 0) + min((x / alpha).apply(expm1) * alpha, 0);
}

Formula hard_sigmoid(const Call& call, const Formula& x) {
  return formulas::hard_sigmoid(x, call.number("alpha"), call.number("beta"));
}

Formula hard_swish(const Call&, const Formula& x) { return x * formulas::between_0_and_1(x / 6 + 0.5); }

Formula swish(const Call& call, const Formula& x) { return x * (x * call.number("alpha")).apply(sigmoid); }

Formula mish(const Call&, const Formula& x) { return x * x.apply(softplus).apply(tanh); }

Formula softsign(const Call&, const Formula& x) { return formulas::softsign(x); }

Formula gelu(const Call& call, const Formula& x) { return gelu_of(x, call.word("approximate") != "none"); }

// ---- Shrink ----

// The range of an integer type: from the least number to below the end.
struct Range {
  double least;
  double end;
};
Range range_of(Dtype dtype) {
  const DtypeInfo& type = info(dtype);
  const bool is_signed = type.kind == DtypeKind::signed_integer;
  const double end = std::ldexp(1.0, type.bits - (is_signed ? 1 : 0));
  return {is_signed ? -end : 0, end};
}

// `below` if an integer is below a real number, which its type need not represent; or else `otherwise`, also for a NaN.
Formula where_below(const Formula& x, double bound, const Formula& below, const Formula& otherwise) {
  const auto [least, end] = range_of(x.value().dtype);
  bound = std::ceil(bound);
  if (!(bound > least)) return otherwise;
  return bound < end ? select(x < bound, below, otherwise) : below;
}
Formula where_above(const Formula& x, double bound, const Formula& above, const Formula& otherwise) {
  const auto [least, end] = range_of(x.value().dtype);
  bound = std::floor(bound);
  if (bound < least) return above;
  return bound < end ? select(x > bound, above, otherwise) : otherwise;
}

// The sum of an integer and a real number, as real numbers. Drops the fraction, and wraps around.
Formula sum_of(const Formula& x, double added) {
  const double whole = std::floor(added);
  const Formula rounded_down = x + whole;
  // Dropping the fraction rounds a negative sum up.
  return whole == added ? rounded_down : where_below(x, -added, x + (whole + 1), rounded_down);
}

Formula shrink(const Call& call, const Formula& x) {
  const double lambda = call.number("lambd");
  const double bias = call.number("bias");
  if (!types::integers.contains(x.value().dtype)) {
    return select(x < -lambda, x + bias, select(x > lambda, x - bias, x.number(0)));
  }
  return where_below(x, -lambda, sum_of(x, bias), where_above(x, lambda, sum_of(x, -bias), x.number(0)));
}

template <Formula formula(const Call& call, const Formula& x)>
constexpr Operator activation(std::string_view name, std::span<const OperatorVersion> versions, Kernels kernels,
                              std::uint8_t most_steps = 16, Traits traits = {}) {
  return {
      .name = name,
      .versions = versions,
      .prepare = prepare_like_input,
      .elements = elements_of<formula>,
      .most_steps = most_steps,
      .traits = traits,
      .kernels = kernels,
  };
}

}  // namespace

BROADLOOM_OPERATOR(op, celu) = activation<broadloom::celu>("Celu", celu_versions,
                                                           loops(add, divide, multiply, minimum, maximum, expm1));
BROADLOOM_OPERATOR(op, elu) = activation<broadloom::elu>("Elu", elu_versions, loops(multiply, less, expm1));
BROADLOOM_OPERATOR(op, gelu) = activation<broadloom::gelu>("Gelu", gelu_versions, gelu_kernels);
BROADLOOM_OPERATOR(op, hard_sigmoid) = activation<broadloom::hard_sigmoid>("HardSigmoid", hard_sigmoid_versions,
                                                                           loops(add, multiply, minimum, maximum));
BROADLOOM_OPERATOR(op, hard_swish) = activation<broadloom::hard_swish>("HardSwish", from_14,
                                                                       loops(add, multiply, divide, minimum, maximum));
BROADLOOM_OPERATOR(op, leaky_relu) = activation<broadloom::leaky_relu>("LeakyRelu", leaky_versions, loops(multiply, less));
BROADLOOM_OPERATOR(op, mish) = activation<broadloom::mish>("Mish", from_18, loops(multiply, softplus, tanh));
BROADLOOM_OPERATOR(op, relu) = activation<broadloom::relu>("Relu", relu_versions, loops(maximum), 16, {.is_idempotent = true});
BROADLOOM_OPERATOR(op, selu) = activation<broadloom::selu>("Selu", selu_versions, loops(multiply, less, expm1));
BROADLOOM_OPERATOR(op, shrink) = activation<broadloom::shrink>("Shrink", shrink_versions, loops(add, subtract, less), 30);
BROADLOOM_OPERATOR(op, softsign) = activation<broadloom::softsign>("Softsign", from_1, loops(add, divide, absolute));
BROADLOOM_OPERATOR(op, swish) = activation<broadloom::swish>("Swish", swish_versions, loops(multiply, sigmoid));
BROADLOOM_OPERATOR(op, thresholded_relu) = activation<broadloom::thresholded_relu>("ThresholdedRelu", thresholded_versions,
                                                                                   loops(less));

}  // namespace broadloom
