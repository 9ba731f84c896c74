// com.microsoft: QLinearAveragePool, QLinearGlobalAveragePool, QLinearReduceMean and QLinearSoftmax, which compute in float32
// with the numbers that bytes stand for. onnxruntime: docs/ContribOperators.md.
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/convolution/channels_last.h"
#include "ops/dims/windows.h"
#include "ops/microsoft/quantized.h"
#include "ops/named_operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr Dtype scale = Dtype::float32;
constexpr AttributeSpec channels_last = with_default("channels_last", INT, 0);
constexpr AttributeSpec pool_attributes[] = {auto_pad_attribute,
                                             with_default("ceil_mode", INT, 0),
                                             channels_last,
                                             with_default("count_include_pad", INT, 0),
                                             required("kernel_shape", INTS),
                                             {"pads", INTS},
                                             {"strides", INTS}};
constexpr AttributeSpec softmax_attributes[] = {{"axis", INT}, required("opset", INT)};
constexpr AttributeSpec mean_attributes[] = {required("axes", INTS), required("keepdims", INT)};
constexpr Parameter mean_inputs[] = {{"data", T},
                                     {"data_scale", scale},
                                     {"data_zero_point", T, Optional},
                                     {"reduced_scale", scale},
                                     {"reduced_zero_point", T, Optional}};
constexpr Parameter mean_outputs[] = {{"reduced", T}};
constexpr Parameter inputs[] = {
    {"X", T}, {"x_scale", scale}, {"x_zero_point", T, Optional}, {"y_scale", scale}, {"y_zero_point", T, Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature of_pool{pool_attributes, inputs, outputs, {T}};
constexpr Signature of_global{{&channels_last, 1}, inputs, outputs, {T}};
constexpr Signature of_softmax{softmax_attributes, inputs, outputs, {T}};
constexpr Signature of_mean{mean_attributes, mean_inputs, mean_outputs, {T}};
constexpr OperatorVersion mean_versions[] = {{1, &of_mean, {types::bytes}}};
constexpr OperatorVersion pool_versions[] = {{1, &of_pool, {types::bytes}}};
constexpr OperatorVersion global_versions[] = {{1, &of_global, {types::bytes}}};
constexpr OperatorVersion softmax_versions[] = {{1, &of_softmax, {types::bytes}}};

Tensor image_of(const Call& call, const Tensor& tensor) {
  return call.integer("channels_last") != 0 ? channels_to_front(tensor) : tensor;
}

const Operator& operator_of(const Call& call) {
  if (&call.version == softmax_versions) return op::softmax;
  if (&call.version == mean_versions) return op::reduce_mean;
  return &call.version == pool_versions ? op::average_pool : op::global_average_pool;
}

std::int64_t opset_of(const Call& call) {
  if (&call.version == mean_versions) return 13;  // with axes as an attribute
  return call.attributes.find_int("opset").value_or(newest_opset);
}

// The operator's call with float32 in the places of X and Y.
struct FloatCall {
  Tensor x;
  Tensor y;
  const Tensor* from = &x;
  Dtype type = Dtype::float32;
  InnerCall call;

  FloatCall(const Call& of, Tensor its_x, Tensor its_y)
      : x(std::move(its_x)),
        y(std::move(its_y)),
        call(of, operator_of(of), {&from, 1}, {&type, 1}, {&y, 1}, of.attributes, opset_of(of)) {}
};

Status prepare(Call& call) {
  BROADLOOM_CHECK(check_scalars(call, inputs_at({1, 2, 3, 4})));
  const Tensor x = image_of(call, *call.inputs[0]);
  FloatCall floats(call, {Dtype::float32, x.layout}, unranked(Dtype::float32));
  BROADLOOM_CHECK(floats.call.prepare());
  if (!floats.y.is_ranked()) return {};
  floats.y.dtype = call.output_types[0];
  call.outputs[0] = call.integer("channels_last") != 0 ? channels_to_back(floats.y) : floats.y;
  return {};
}

Status compute(Call& call) {
  BROADLOOM_TRY(x, without_gaps(image_of(call, *call.inputs[0])));
  const Tensor y = image_of(call, call.outputs[0]);
  BROADLOOM_TRY(numbers, make_tensor(Dtype::float32, x.dims()));
  BROADLOOM_TRY(results, make_tensor(Dtype::float32, y.dims()));
  numbers.layout = x.layout;
  results.layout = y.layout;
  BROADLOOM_CHECK(dequantise(call, 1, numbers, x));
  FloatCall floats(call, std::move(numbers), std::move(results));
  BROADLOOM_CHECK(floats.call.compute());
  return quantise(call, 3, y, floats.y);
}

constexpr Operator quantised_operator(std::string_view name, std::span<const OperatorVersion> versions, const Operator& inner,
                                      double (*extra_work)(const Call& call) = nullptr) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = versions,
          .prepare = prepare,
          .compute = compute,
          .extra_work = extra_work,
          .calls = {&op::dequantize_linear, &inner, &op::quantize_linear}};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, qlinear_average_pool) = quantised_operator("QLinearAveragePool", pool_versions,
                                                                             op::average_pool, work_of_windows);
BROADLOOM_OPERATOR(op::microsoft, qlinear_global_average_pool) = quantised_operator("QLinearGlobalAveragePool", global_versions,
                                                                                    op::global_average_pool);
BROADLOOM_OPERATOR(op::microsoft, qlinear_reduce_mean) = quantised_operator("QLinearReduceMean", mean_versions,
                                                                            op::reduce_mean);
BROADLOOM_OPERATOR(op::microsoft, qlinear_softmax) = quantised_operator("QLinearSoftmax", softmax_versions, op::softmax);

}  // namespace broadloom
