// com.microsoft: NhwcConv, NhwcFusedConv and QLinearConv, convolutions of images whose channels are the last axis, or may be.
// Filters have their channels last in NhwcConv, as onnxruntime's tools write them, and where Conv has them in the others.
// onnxruntime: docs/ContribOperators.md, onnxruntime/python/tools/transformers/fusion_nhwc_conv.py.
#include "ops/call/inner_call.h"
#include "ops/convolution/channels_last.h"
#include "ops/convolution/convolution.h"
#include "ops/named_operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr Signature signature{convolution_attributes, convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::floats}}};

constexpr Signature fused_signature{fused_convolution_attributes, fused_convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion fused_versions[] = {{1, &fused_signature, {Dtype::float32 | Dtype::float16}}};

constexpr AttributeSpec quantised_attributes[] = {auto_pad_attribute,     with_default("channels_last", INT, 0),
                                                  {"dilations", INTS},    with_default("group", INT, 1),
                                                  {"kernel_shape", INTS}, {"pads", INTS},
                                                  {"strides", INTS}};
constexpr Parameter quantised_outputs[] = {{"y", T3}};
constexpr Signature quantised_signature{
    quantised_attributes, quantised_convolution_inputs, quantised_outputs, {T1, T2, T3, T4}};
constexpr OperatorVersion quantised_versions[] = {
    {1, &quantised_signature, {types::bytes, types::bytes, types::bytes, types::int32}}};

// The call of another convolution, on views of the images. `second` is its second input with channels: of NhwcConv the filters,
// of NhwcFusedConv what is added. Without one, an attribute tells whether channels are last.
template <const Operator& inner, std::size_t second>
class Convolved {
 public:
  explicit Convolved(const Call& call)
      : is_last_(second != 0 || call.integer("channels_last") != 0),
        y_(is_last_ ? channels_to_front(call.outputs[0]) : call.outputs[0]),
        call_(call, inner, std::span(inputs_).first(call.inputs.size()), call.output_types, {&y_, 1}, call.attributes) {
    std::copy(call.inputs.begin(), call.inputs.end(), inputs_);
    for (std::size_t i = 0; is_last_ && i < std::size(images); ++i) {
      const Tensor* image = call.input(images[i]);
      if (image == nullptr) continue;
      views_[i] = channels_to_front(*image);
      inputs_[images[i]] = &views_[i];
    }
  }
  InnerCall& call() { return call_; }
  Tensor result() const { return is_last_ ? channels_to_back(y_) : y_; }

 private:
  static constexpr std::size_t images[] = {0, second};

  bool is_last_;
  Tensor views_[2];
  const Tensor* inputs_[9] = {};
  Tensor y_;
  InnerCall call_;
};

template <const Operator& inner, std::size_t second>
Status prepare(Call& call) {
  Convolved<inner, second> convolved(call);
  BROADLOOM_CHECK(convolved.call().prepare());
  call.outputs[0] = convolved.result();
  return {};
}

template <const Operator& inner, std::size_t second>
Status run(const Call& call, ReadyCall& convolution, std::byte* workspace, Finish* finish) {
  return Convolved<inner, second>(call).call().run(convolution, workspace, finish);
}

template <const Operator& inner, std::size_t second>
Result<Ready> ready(const Call& call, PackedOperands* packed) {
  return around(Convolved<inner, second>(call).call().ready(packed), run<inner, second>);
}

template <const Operator& inner, std::size_t second>
constexpr Operator operator_of(std::string_view name, std::span<const OperatorVersion> its_versions) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = its_versions,
          .prepare = prepare<inner, second>,
          .compute = run_once<ready<inner, second>>,
          .ready = ready<inner, second>,
          .extra_work = [](const Call& call) { return Convolved<inner, second>(call).call().extra_work(); },
          .calls = {&inner}};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, nhwc_conv) = operator_of<op::conv, 1>("NhwcConv", versions);
BROADLOOM_OPERATOR(op::microsoft, nhwc_fused_conv) = operator_of<op::microsoft::fused_conv, 3>("NhwcFusedConv", fused_versions);
BROADLOOM_OPERATOR(op::microsoft, qlinear_conv) = operator_of<op::qlinear_conv, 0>("QLinearConv", quantised_versions);

}  // namespace broadloom
