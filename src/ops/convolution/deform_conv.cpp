// DeformConv: a convolution of images of two axes whose taps an input shifts. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "kernels/convolution/deformed.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/convolution/channels_last.h"
#include "ops/convolution/convolution.h"
#include "ops/elementwise.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {{"dilations", INTS},    with_default("group", INT, 1),
                                        {"kernel_shape", INTS}, with_default("offset_group", INT, 1),
                                        {"pads", INTS},         {"strides", INTS}};
constexpr Parameter inputs[] = {{"X", T}, {"W", T}, {"offset", T}, {"B", T, Optional}, {"mask", T, Optional}};
constexpr Signature signature{attributes, inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {{19, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

// A call of Conv with its own inputs.
struct ConvCall {
  const Tensor* inputs[3];
  InnerCall call;

  ConvCall(const Call& of, const Tensor* x, const Tensor* w, const Tensor* b, const Attributes& given,
           std::span<const Dtype> types, std::span<Tensor> results)
      : inputs{x, w, b}, call(of, op::conv, inputs, types, results, given) {}
};

// Fails unless an input has four axes, and fits what is known of its dims.
Status check_planes(const Call& call, std::size_t i, const SymbolicDims& wanted) {
  const Tensor* input = call.input(i);
  if (input == nullptr || !input->is_ranked()) return {};
  const SymbolicDims& dims = input->dims();
  bool fits = dims.size() == 4;
  for (std::size_t k = 0; fits && k < 4; ++k) fits = !differ(dims[k], wanted[k]);
  if (fits) return {};
  return impossible("input '{}' has dims {}, wanted {}", inputs[i].name, dims.values(), wanted.values());
}

Status prepare(Call& call) {
  ConvCall conv(call, call.inputs[0], call.inputs[1], call.input(3), call.attributes, call.output_types, call.outputs);
  BROADLOOM_CHECK(conv.call.prepare());
  if (!call.outputs[0].is_ranked()) return {};
  call.outputs[0] = known_image(call.output_types[0], SymbolicDims(call.outputs[0].dims()));
  const SymbolicDims& y = call.outputs[0].dims();
  if (y.size() != 4) return impossible("an image has {} axes, wanted [N, C, H, W]", y.size());
  const std::int64_t groups = call.integer("offset_group");
  const Size channels = call.inputs[0]->is_ranked() ? call.inputs[0]->dims()[1] : unknown_size;
  if (groups < 1 || (channels.is_number() && channels.number() % groups != 0)) {
    return impossible("attribute 'offset_group' is {}, wanted a divisor of {} channels", groups, channels);
  }
  const Sizes sizes = call.sizes();
  Size planes = unknown_size;
  if (call.inputs[1]->is_ranked()) {
    const SymbolicDims& w = call.inputs[1]->dims();
    planes = sizes.multiply(sizes.multiply(w[2], w[3]), groups);
  }
  BROADLOOM_CHECK(check_planes(call, 2, {y[0], sizes.multiply(planes, 2), y[2], y[3]}));
  return check_planes(call, 4, {y[0], planes, y[2], y[3]});
}

// The sampled elements of an image are one of a Conv of one tap, with a channel for each tap and channel.
Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  const Dtype dtype = accumulate_type_of(output.dtype).dtype;
  BROADLOOM_TRY(axes,
                slide_windows(call, call.inputs[0]->dims().values().subspan(2), call.inputs[1]->dims().values().subspan(2)));
  const std::span<const std::int64_t> y = output.run_dims();
  const DeformedWindows windows{{axes[0].numbers(), axes[1].numbers()},
                                in_memory(call.inputs[0]->run_dims()[1]),
                                in_memory(call.integer("group")),
                                in_memory(call.integer("offset_group"))};
  const auto places = static_cast<std::int64_t>(windows.places());
  const auto columns = static_cast<std::int64_t>(windows.taps() * windows.channels);
  Tensor parts[5];
  for (std::size_t i = 0; i < 5; ++i) {
    const Tensor* input = call.input(i);
    if (input == nullptr) continue;
    // Shifts and factors are float64 for every type.
    BROADLOOM_TRY(made, in_type(i < 2 ? channels_to_back(*input) : *input, i == 2 || i == 4 ? Dtype::float64 : dtype));
    parts[i] = std::move(made);
  }
  Tensor& weights = parts[1];
  BROADLOOM_TRY(zeros, make_tensor(dtype, {static_cast<std::int64_t>(windows.channels)}));
  std::memset(zeros.data(), 0, dense_size(zeros));
  BROADLOOM_CHECK(checked_count(Dims{places, columns}.values()));
  BROADLOOM_TRY(sampled, make_tensor(dtype, {places, columns}));
  sampled.layout = channels_last_layout({1, columns, places});
  weights.layout = dense_layout({y[1], columns / call.integer("group"), 1});
  BROADLOOM_TRY(result, unrounded(output, dtype));
  Tensor part{dtype, channels_last_layout({1, y[1], places}), result.storage, result.offset};
  Attributes group;
  group.add(*find_spec(op::conv.versions.back(), "group")).integer = call.integer("group");
  ConvCall conv(call, &sampled, &weights, call.input(3) == nullptr ? nullptr : &parts[3], group, {&dtype, 1}, {&part, 1});
  const bool has_mask = call.input(4) != nullptr;
  const std::size_t planes = windows.offset_groups * windows.taps() * windows.places();
  DeformedImage from{dtype, parts[0].data(), reinterpret_cast<const double*>(parts[2].data()),
                     has_mask ? reinterpret_cast<const double*>(parts[4].data()) : nullptr, zeros.data()};
  for (std::int64_t number = 0; number < y[0]; ++number) {
    BROADLOOM_CHECK(sample_deformed(sampled.data(), from, windows));
    BROADLOOM_CHECK(conv.call.compute());
    from.image += dense_size(parts[0]) / in_memory(y[0]);
    from.offsets += 2 * planes;
    if (has_mask) from.mask += planes;
    part.offset += y[1] * places;
  }
  return write_rounded(output, result);
}

}  // namespace

BROADLOOM_OPERATOR(op, deform_conv){
    .name = "DeformConv",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = work_of_convolution,
    .calls = {&op::conv},
};

}  // namespace broadloom
