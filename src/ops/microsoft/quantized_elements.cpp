// com.microsoft: QLinearAdd, QLinearMul, QLinearSigmoid, QLinearLeakyRelu, QLinearConcat and QLinearWhere, functions of the
// numbers that bytes stand for. onnxruntime: docs/ContribOperators.md.
#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/bytes.h"
#include "kernels/movement/copy.h"
#include "ops/activation/activation_formulas.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/elementwise.h"
#include "ops/microsoft/quantized.h"
#include "ops/named_operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr Dtype scale = Dtype::float32;
constexpr Parameter two_inputs[] = {{"A", T},           {"A_scale", scale},           {"A_zero_point", T, Optional},
                                    {"B", T},           {"B_scale", scale},           {"B_zero_point", T, Optional},
                                    {"C_scale", scale}, {"C_zero_point", T, Optional}};
constexpr Parameter two_outputs[] = {{"C", T}};
constexpr Parameter one_input[] = {
    {"X", T}, {"X_scale", scale}, {"X_zero_point", T, Optional}, {"Y_scale", scale}, {"Y_zero_point", T, Optional}};
constexpr Parameter one_output[] = {{"Y", T}};
constexpr AttributeSpec alpha[] = {with_default("alpha", FLOAT, 0.01F)};
constexpr Signature of_two{{}, two_inputs, two_outputs, {T}};
constexpr Signature of_one{{}, one_input, one_output, {T}};
constexpr Signature of_leaky{alpha, one_input, one_output, {T}};
constexpr OperatorVersion add_versions[] = {{1, &of_two, {types::bytes}}};
constexpr OperatorVersion mul_versions[] = {{1, &of_two, {types::bytes}}};
constexpr OperatorVersion sigmoid_versions[] = {{1, &of_one, {types::bytes}}};
constexpr OperatorVersion leaky_versions[] = {{1, &of_leaky, {types::bytes}}};

// ---- Two operands ----

Status prepare_two(Call& call) {
  BROADLOOM_CHECK(check_scalars(call, inputs_at({1, 2, 4, 5, 6, 7})));
  const Tensor& a = *call.inputs[0];
  const Tensor& b = *call.inputs[3];
  if (!a.is_ranked() || !b.is_ranked()) return {};
  BROADLOOM_TRY(dims, broadcast_dims(a.dims(), b.dims()));
  call.outputs[0] = known_dims(a.dtype, dims);
  keep_order(call, 3);
  keep_order(call, 0);
  return {};
}

// The elements of an input, stretched to the output's dims and in its order.
Result<Tensor> in_order(const Call& call, std::size_t i) {
  const Tensor& output = call.outputs[0];
  const Tensor& input = *call.inputs[i];
  Tensor view{input.dtype, broadcast_to(input.layout, output.dims()), input.storage, input.offset};
  if (have_same_positions(view.layout, output.layout)) return view;
  view.layout = transposed_layout(view.layout, order_of_axes(output.layout).values());
  return densify(view);
}

Status compute_two(Call& call) {
  const Tensor& output = call.outputs[0];
  BROADLOOM_TRY(a, in_order(call, 0));
  BROADLOOM_TRY(b, in_order(call, 3));
  const Quantum from[] = {quantum_of(call, 1), quantum_of(call, 4), quantum_of(call, 6)};
  BytePair how{&call.version == mul_versions, output.dtype == Dtype::int8, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) how.zeros[i] = static_cast<float>(from[i].zero);
  for (std::size_t i = 0; i < 2; ++i) how.scales[i] = from[i].scale / from[2].scale;
  if (how.is_product) how.scales[0] = from[0].scale * from[1].scale / from[2].scale;
  combine_bytes(output.data(), a.data(), b.data(), in_memory(output.count()), how);
  return {};
}

// ---- Functions of one byte are tables ----

// The function of the call's operator, of numbers in their place. Of others, it is the number itself.
Status apply_function(const Call& call, const Tensor& numbers) {
  Program program;
  const Formula x(program, program.operand(numbers.dtype, numbers.data(), numbers.layout));
  const bool is_leaky = &call.version == leaky_versions;
  if (!is_leaky && &call.version != sigmoid_versions) return {};
  const Formula y = is_leaky ? formulas::leaky_relu(x, call.number("alpha")) : x.apply(Operation::sigmoid);
  return program.run(y.value(), numbers.data(), in_memory(numbers.count()));
}

// Writes the function of bytes, which lie without gaps, in the order in which they lie. The scales and zero points of both
// sides are inputs from these numbers on.
Status replace(const Call& call, std::byte* to, const Tensor& from, std::size_t before, std::size_t after) {
  const SymbolicDims dims{256};
  BROADLOOM_TRY(table, make_tensor(from.dtype, dims));
  BROADLOOM_TRY(numbers, make_tensor(Dtype::float32, dims));
  for (std::size_t i = 0; i < 256; ++i) table.data()[i] = static_cast<std::byte>(i);
  BROADLOOM_CHECK(dequantise(call, before, numbers, table));
  BROADLOOM_CHECK(apply_function(call, numbers));
  BROADLOOM_CHECK(quantise(call, after, table, numbers));
  replace_bytes(to, from.data(), table.data(), in_memory(from.count()));
  return {};
}

Status prepare_one(Call& call) {
  BROADLOOM_CHECK(check_scalars(call, inputs_at({1, 2, 3, 4})));
  BROADLOOM_CHECK(prepare_like_input(call));
  keep_order(call, 0);
  return {};
}

Status compute_one(Call& call) {
  BROADLOOM_TRY(x, without_gaps(*call.inputs[0]));
  return replace(call, call.outputs[0].data(), x, 1, 3);
}

// A dense tensor with other bytes for the same numbers: they have the scale and zero point at input `after`.
Result<Tensor> requantised(const Call& call, std::size_t input, std::size_t after) {
  const Quantum old = quantum_of(call, input + 1);
  const Quantum wanted = quantum_of(call, after);
  BROADLOOM_TRY(x, densify(*call.inputs[input]));
  if (old.scale == wanted.scale && old.zero == wanted.zero) return std::move(x);
  BROADLOOM_TRY(y, make_tensor(x.dtype, x.dims()));
  BROADLOOM_CHECK(replace(call, y.data(), x, input + 1, after));
  return std::move(y);
}

// ---- QLinearConcat ----

constexpr AttributeSpec concat_attributes[] = {required("axis", INT)};
constexpr Parameter concat_inputs[] = {{"Y_scale", scale}, {"Y_zero_point", T1}, Parameter::heterogeneous("inputs", T2, 3)};
constexpr Parameter concat_outputs[] = {{"Y", T1}};
constexpr Signature of_concat{concat_attributes, concat_inputs, concat_outputs, {T1, T2}};
constexpr OperatorVersion concat_versions[] = {{1, &of_concat, {types::bytes, types::bytes | scale}}};

// The inputs are the result's scale and zero point, and then each tensor with its scale and zero point.
constexpr std::size_t first_tensor = 2;
constexpr std::size_t inputs_of_each = 3;

Status prepare_concat(Call& call) {
  const std::size_t count = (call.inputs.size() - first_tensor) / inputs_of_each;
  if (call.inputs.size() != first_tensor + count * inputs_of_each) {
    return impossible("takes 2 inputs and 3 for each tensor, got {}", call.inputs.size());
  }
  BROADLOOM_CHECK(check_scalars(call, inputs_at({0, 1})));
  std::vector<const Tensor*> tensors(count);
  for (std::size_t i = first_tensor; i < call.inputs.size(); ++i) {
    const std::size_t place = (i - first_tensor) % inputs_of_each;
    const Dtype own = call.inputs[i]->dtype;
    const Dtype wanted = place == 1 ? scale : call.output_types[0];
    if (own != wanted && own != Dtype::undefined && wanted != Dtype::undefined) {
      return impossible("input {} is {}, wanted {}", i, own, wanted);
    }
    if (place == 0) {
      tensors[(i - first_tensor) / inputs_of_each] = call.inputs[i];
    } else {
      BROADLOOM_CHECK(check_scalar(call, i));
    }
  }
  BROADLOOM_CHECK(InnerCall(call, op::concat, tensors, call.output_types, call.outputs, call.attributes).prepare());
  // Concat of one tensor is a view of it, in its layout. This output gets elements of its own.
  Tensor& output = call.outputs[0];
  if (output.is_ranked()) output = known_dims(call.output_types[0], output.dims());
  return {};
}

Status compute_concat(Call& call) {
  const Tensor& output = call.outputs[0];
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), output.dims().size()));
  const auto rows = in_memory(count_of(output.run_dims().first(axis)));
  const std::size_t pitch = dense_size(output) / rows;
  std::byte* to = output.data();
  for (std::size_t i = first_tensor; i < call.inputs.size(); i += inputs_of_each) {
    BROADLOOM_TRY(part, requantised(call, i, 0));
    const std::size_t length = dense_size(part) / rows;
    copy_rows(to, pitch, part.data(), length, length, rows);
    to += length;
  }
  return {};
}

// ---- QLinearWhere ----

constexpr Parameter where_inputs[] = {{"condition", B},    {"X", T},           {"x_scale", scale},
                                      {"x_zero_point", T}, {"Y", T},           {"y_scale", scale},
                                      {"y_zero_point", T}, {"z_scale", scale}, {"z_zero_point", T}};
constexpr Parameter where_outputs[] = {{"Z", T}};
constexpr Signature of_where{{}, where_inputs, where_outputs, {B, T}};
constexpr OperatorVersion where_versions[] = {{1, &of_where, {Dtype::boolean, types::bytes}}};

InnerCall where_call(const Call& call, std::span<const Tensor* const> inputs) {
  return {call, op::where, inputs, call.output_types, call.outputs, call.attributes};
}

Status prepare_where(Call& call) {
  BROADLOOM_CHECK(check_scalars(call, inputs_at({2, 3, 5, 6, 7, 8})));
  const Tensor* const inputs[] = {call.inputs[0], call.inputs[1], call.inputs[4]};
  return where_call(call, inputs).prepare();
}

Status compute_where(Call& call) {
  BROADLOOM_TRY(x, requantised(call, 1, 7));
  BROADLOOM_TRY(y, requantised(call, 4, 7));
  const Tensor* const inputs[] = {call.inputs[0], &x, &y};
  return where_call(call, inputs).compute();
}

using Step = Status (*)(Call& call);
constexpr Operator quantised_operator(std::string_view name, std::span<const OperatorVersion> versions, Step prepare,
                                      Step compute, Kernels kernels = {}, Callees calls = {}) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = versions,
          .prepare = prepare,
          .compute = compute,
          .kernels = kernels,
          .calls = calls};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, qlinear_add) = quantised_operator("QLinearAdd", add_versions, prepare_two, compute_two);
BROADLOOM_OPERATOR(op::microsoft,
                   qlinear_concat) = quantised_operator("QLinearConcat", concat_versions, prepare_concat, compute_concat, {},
                                                        {&op::dequantize_linear, &op::concat, &op::quantize_linear});
BROADLOOM_OPERATOR(op::microsoft,
                   qlinear_leaky_relu) = quantised_operator("QLinearLeakyRelu", leaky_versions, prepare_one, compute_one,
                                                            loops(Operation::multiply, Operation::less),
                                                            Callees{&op::dequantize_linear, &op::quantize_linear});
BROADLOOM_OPERATOR(op::microsoft, qlinear_mul) = quantised_operator("QLinearMul", mul_versions, prepare_two, compute_two);
BROADLOOM_OPERATOR(op::microsoft, qlinear_sigmoid) = quantised_operator("QLinearSigmoid", sigmoid_versions, prepare_one,
                                                                        compute_one, loops(Operation::sigmoid),
                                                                        Callees{&op::dequantize_linear, &op::quantize_linear});
BROADLOOM_OPERATOR(op::microsoft,
                   qlinear_where) = quantised_operator("QLinearWhere", where_versions, prepare_where, compute_where, {},
                                                       {&op::dequantize_linear, &op::where, &op::quantize_linear});

}  // namespace broadloom
