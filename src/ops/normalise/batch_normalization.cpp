// BatchNormalization in inference. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include "ops/normalise/batch_normalization.h"

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/convolution/channels_last.h"
#include "ops/elementwise.h"
#include "ops/normalise/normalize.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;
using Value = Program::Value;

constexpr AttributeSpec attributes_1[] = {required("consumed_inputs", INTS), epsilon_attribute, with_default("is_test", INT, 0),
                                          with_default("momentum", FLOAT, 0.9F), with_default("spatial", INT, 1)};
constexpr AttributeSpec attributes_7[] = {epsilon_attribute, with_default("momentum", FLOAT, 0.9F),
                                          with_default("spatial", INT, 1)};
constexpr AttributeSpec attributes_14[] = {epsilon_attribute, with_default("momentum", FLOAT, 0.9F),
                                           with_default("training_mode", INT, 0)};
constexpr Parameter inputs_1[] = {{"X", T}, {"scale", T}, {"B", T}, {"mean", T}, {"var", T}};
constexpr Parameter inputs_14[] = {{"X", T}, {"scale", T}, {"B", T}, {"input_mean", U}, {"input_var", U}};
constexpr Parameter inputs_15[] = {{"X", T}, {"scale", T1}, {"B", T1}, {"input_mean", T2}, {"input_var", T2}};
constexpr Parameter outputs_1[] = {{"Y", T},
                                   {"mean", T, Option::Optional},
                                   {"var", T, Option::Optional},
                                   {"saved_mean", T, Option::Optional},
                                   {"saved_var", T, Option::Optional}};
constexpr Parameter outputs_14[] = {{"Y", T}, {"running_mean", U, Option::Optional}, {"running_var", U, Option::Optional}};
constexpr Parameter outputs_15[] = {{"Y", T}, {"running_mean", T2, Option::Optional}, {"running_var", T2, Option::Optional}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs_1, {T}};
constexpr Signature signature_6{std::span(attributes_1).subspan(1), inputs_1, outputs_1, {T}};
constexpr Signature signature_7{attributes_7, inputs_1, outputs_1, {T}};
constexpr Signature signature_9{std::span(attributes_7).first(2), inputs_1, outputs_1, {T}};
constexpr Signature signature_14{attributes_14, inputs_14, outputs_14, {T, U}};
constexpr Signature signature_15{attributes_14, inputs_15, outputs_15, {T, T1, T2}};
constexpr OperatorVersion versions[] = {{1, &signature_1, {types::floats}},
                                        {6, &signature_6, {types::floats}},
                                        {7, &signature_7, {types::floats}},
                                        {9, &signature_9, {types::floats}},
                                        {14, &signature_14, {types::floats_13, types::floats_13}},
                                        {15, &signature_15, {types::floats_13, types::floats_13, types::floats_13}}};

// Whether statistics are per channel. Otherwise ('spatial' is 0) they are per element of a sample.
bool is_by_channel(const Call& call) { return find_spec(call.version, "spatial") == nullptr || call.integer("spatial") != 0; }

// Whether the image has its channels innermost. Elements stay in the order of the input, as in elementwise operators: plans
// compute this operator as three elementwise ones, and sums of the result must have one order either way.
bool is_channels_last(const Tensor& image) {
  return image.dims().size() > 2 && !is_dense(image) && have_same_positions(image.layout, channels_last_layout(image.dims()));
}

// Statistics are computed only in training, which several outputs or 'training_mode' request. In versions 1
// and 6, 'is_test' is 0 by default, and files with one output omit it. That does not count as training, because its
// results would be lost. (onnxruntime has no kernels for these versions.)
Status prepare(Call& call) {
  BROADLOOM_CHECK(prepare_like_input(call));
  const Tensor& input = *call.inputs[0];
  for (std::size_t i = 1; i < call.outputs.size(); ++i) {
    if (call.inputs[3]->is_ranked()) call.outputs[i] = known_dims(call.output_types[i], call.inputs[3]->dims());
  }
  if (call.is_run() && (call.outputs.size() > 1 || call.integer("training_mode") != 0)) {
    return fail(Code::InvalidArgument, "training is not supported: wanted one output, and no 'training_mode'");
  }
  if (!input.is_ranked()) return {};
  const std::span<const Size> dims = input.dims().values();
  if (dims.empty()) return fail(Code::InvalidArgument, "input has dims [], wanted [N, C, ...]");
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    const Tensor* parameter = call.inputs[i];
    if (is_by_channel(call)) {
      BROADLOOM_CHECK(check_length(call, i, dims.size() == 1 ? Size(1) : dims[1]));
    } else if (parameter->is_ranked()) {
      BROADLOOM_CHECK(equal_dims(parameter->dims(), SymbolicDims(dims.subspan(1))));
    }
  }
  if (call.is_run() && is_by_channel(call) && is_channels_last(input)) call.outputs[0].layout = input.layout;
  return {};
}

// Omits the outputs of training.
Result<std::size_t> count_outputs(const Call&) { return std::size_t{1}; }

}  // namespace

Result<Tensor> batch_factors(const Call& call, Dtype dtype) {
  const Tensor& scale = *call.inputs[1];
  BROADLOOM_TRY(factors, make_tensor(dtype, scale.dims()));
  Program program;
  const auto operand = [&](const Tensor& tensor) {
    return converted(program, program.operand(tensor.dtype, tensor.data(), tensor.layout), dtype);
  };
  Value value = operand(*call.inputs[4]);
  value = program.apply(Operation::add, value, program.constant(static_cast<double>(call.number("epsilon")), value));
  value = program.apply(Operation::divide, operand(scale), program.apply(Operation::square_root, value));
  BROADLOOM_CHECK(program.run(value, factors.data(), in_memory(factors.count())));
  return std::move(factors);
}

namespace {

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(factors, batch_factors(call, accumulate_type_of(output.dtype).dtype));
  const std::int64_t length = factors.count();
  const bool is_last = is_channels_last(output);
  const std::int64_t batches = is_last ? output.count() / length : output.run_dims()[0];
  const std::int64_t each = output.count() / (batches * length);
  Normalization how;
  how.has_norm = false;
  BROADLOOM_CHECK(take(how.shift, *call.inputs[3], length, each));
  BROADLOOM_CHECK(take(how.scale, factors, length, each));
  BROADLOOM_CHECK(take(how.bias, *call.inputs[2], length, each));
  const Tensor image = is_last ? channels_to_back(*call.inputs[0]) : *call.inputs[0];
  const Tensor* const inputs[] = {&image};
  Call in_order = call.with(inputs, call.outputs);
  return normalize(in_order, {batches, length, each}, {}, how);
}

}  // namespace

BROADLOOM_OPERATOR(op, batch_normalization){
    .name = "BatchNormalization",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .count_outputs = count_outputs,
    .kernels = loops(Operation::add, Operation::subtract, Operation::multiply, Operation::divide, Operation::square_root),
};

}  // namespace broadloom
