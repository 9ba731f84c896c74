// ConvInteger and QLinearConv: convolutions of integers of 8 bits. ONNX: onnx/defs/nn/defs.cc.
#include "core/text.h"
#include "kernels/pairs.h"
#include "ops/convolution.h"
#include "ops/integer_product.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr TypeSet bytes = types::int8 | types::uint8;

constexpr Parameter inputs[] = {{"x", T1}, {"w", T2}, {"x_zero_point", T1, Optional}, {"w_zero_point", T2, Optional}};
constexpr Parameter outputs[] = {{"y", T3}};
constexpr Signature signature{convolution_attributes, inputs, outputs, {T1, T2, T3}};
constexpr OperatorVersion versions[] = {{10, &signature, {bytes, bytes, types::int32}}};

constexpr Parameter scaled_inputs[] = {{"x", T1},
                                       {"x_scale", Dtype::float32},
                                       {"x_zero_point", T1},
                                       {"w", T2},
                                       {"w_scale", Dtype::float32},
                                       {"w_zero_point", T2},
                                       {"y_scale", Dtype::float32},
                                       {"y_zero_point", T3},
                                       {"B", T4, Optional}};
constexpr Signature scaled_signature{convolution_attributes, scaled_inputs, outputs, {T1, T2, T3, T4}};
constexpr OperatorVersion scaled_versions[] = {{10, &scaled_signature, {bytes, bytes, bytes, types::int32}}};

// Where an operator has its inputs. ConvInteger has the first two and the zero points.
struct Places {
  std::size_t w;
  std::size_t x_zero;
  std::size_t w_zero;
  std::size_t x_scale;
  std::size_t w_scale;
  std::size_t y_scale;
  std::size_t y_zero;
  std::size_t bias;
};
constexpr std::size_t absent = ProductInputs::none;
constexpr Places places{1, 2, 3, absent, absent, absent, absent, absent};
constexpr Places scaled_places{3, 2, 5, 1, 4, 6, 7, 8};

const Places& places_of(const Call& call) { return call.version.signature == &signature ? places : scaled_places; }

// The call with image, weights and bias alone, as Conv has them.
class ConvCall {
 public:
  explicit ConvCall(const Call& call)
      : inputs_{call.inputs[0], call.inputs[places_of(call).w], call.input(places_of(call).bias)},
        call_{op::conv.versions.back(), inputs_,    call.attributes, call.output_types, call.outputs,
              call.expressions,         call.packed} {}
  const Call& call() const { return call_; }
  Result<WindowAxes> axes() const {
    return slide_windows(call_, inputs_[0]->dims().values().subspan(2), inputs_[1]->dims().values().subspan(2));
  }

 private:
  const Tensor* inputs_[3];
  Call call_;
};

Status prepare(Call& call) {
  const ConvCall operands(call);
  BROADLOOM_TRY(sizes, read_operands(operands.call(), ChannelsAxis::second));
  const Places& at = places_of(call);
  const Size filters = sizes.weights.empty() ? unknown_size : sizes.weights[0];
  for (const std::size_t i : {at.x_zero, at.x_scale, at.y_zero, at.y_scale}) BROADLOOM_CHECK(check_length_or_one(call, i, 1));
  for (const std::size_t i : {at.w_zero, at.w_scale}) BROADLOOM_CHECK(check_length_or_one(call, i, filters));
  const std::span<const Size> x = sizes.image.values();
  if (x.empty()) return {};
  BROADLOOM_TRY(axes, slide_windows(operands.call(), x.subspan(2), sizes.weights.values().subspan(2)));
  set_places(call, sizes, axes);
  return {};
}

class ReadyIntegerConv final : public ReadyConvolution {
 public:
  ReadyIntegerConv(const Call& call, const WindowAxes& axes)
      : ReadyConvolution(call, ChannelsAxis::second), kernel_(make(call, axes)), results_(results_of(call)) {}

  Status run_and_finish(const Call& call, std::byte* workspace, Finish* finish) override {
    const Places& at = places_of(call);
    BROADLOOM_TRY(x_zero, parameter_in(call, at.x_zero, Dtype::int32));
    BROADLOOM_TRY(w_zero, parameter_in(call, at.w_zero, Dtype::int32));
    BROADLOOM_TRY(scale, parameter_in(call, at.x_scale, Dtype::float32));
    BROADLOOM_TRY(w_scale, parameter_in(call, at.w_scale, Dtype::float32));
    BROADLOOM_TRY(y_scale, parameter_in(call, at.y_scale, Dtype::float32));
    BROADLOOM_TRY(y_zero, parameter_in(call, at.y_zero, Dtype::float32));
    const auto element = [](const Tensor& tensor, std::size_t i, auto none_given) {
      if (!tensor.has_elements()) return none_given;
      return reinterpret_cast<const decltype(none_given)*>(tensor.data())[tensor.count() == 1 ? 0 : i];
    };
    auto* const zeros = reinterpret_cast<std::int32_t*>(workspace);
    auto* const scales = reinterpret_cast<float*>(workspace + column_bytes());
    for (std::size_t i = 0; i < results_; ++i) {
      zeros[i] = element(w_zero, i, 0) - offset_of(call.inputs[at.w]->dtype);
      scales[i] = element(scale, 0, 1.0F) * element(w_scale, i, 1.0F) / element(y_scale, 0, 1.0F);
    }
    const Rescaling rescaling{call.outputs[0].dtype, scales, nullptr, element(y_zero, 0, 0.0F)};
    quantisation_ = {element(x_zero, 0, 0), are_any(zeros, results_) ? zeros : nullptr,
                     y_scale.has_elements() ? &rescaling : nullptr};
    return ReadyConvolution::run_and_finish(ConvCall(call).call(), workspace + 2 * column_bytes(), finish);
  }

 private:
  static Convolution make(const Call& call, const WindowAxes& axes) {
    ConvolutionDims dims = convolution_dims(call, ChannelsAxis::second);
    dims.axes = numbers_of(axes);
    return {call.inputs[0]->dtype, std::move(dims), call.inputs[0]->layout};
  }
  static std::size_t results_of(const Call& call) { return to_size(call.inputs[1]->run_dims()[0]); }
  // Of a number for each filter.
  std::size_t column_bytes() const { return whole_vectors(results_ * sizeof(float)); }
  double kernel_bytes() const override { return kernel_.workspace_bytes() + 2 * static_cast<double>(column_bytes()); }
  double packed_bytes() const override { return kernel_.packed_bytes(); }
  void pack_filters(std::byte* to, const Filters& filters) const override { kernel_.pack(to, filters); }
  void run_kernel(const Operands& it) const override {
    kernel_.run(it.to, it.image, it.filters, it.bias, it.bias_step, it.workspace, it.finish, quantisation_);
  }
  Dims form() const override {
    // Pairs are packed as rows of the image are joined.
    return {static_cast<std::int64_t>(groups()), kernel_.has_joined_rows() ? 1 : 0};
  }

  Convolution kernel_;
  std::size_t results_;
  Quantisation quantisation_;
};

Status compute(Call& call) {
  const ConvCall operands(call);
  BROADLOOM_TRY(axes, operands.axes());
  ReadyIntegerConv ready(operands.call(), axes);
  return compute_once(call, ready);
}

Result<StorageRef> pack(const Call& call, PackedOperands& packed) {
  const ConvCall operands(call);
  BROADLOOM_TRY(axes, operands.axes());
  return pack_convolution(operands.call(), std::make_unique<ReadyIntegerConv>(operands.call(), axes), packed);
}

double extra_work(const Call& call) { return op::conv.extra_work(ConvCall(call).call()); }

constexpr Operator convolution(std::string_view name, std::span<const OperatorVersion> its_versions) {
  return {
      .name = name, .versions = its_versions, .prepare = prepare, .compute = compute, .pack = pack, .extra_work = extra_work};
}

}  // namespace

constinit const Operator op::conv_integer = convolution("ConvInteger", versions);
constinit const Operator op::qlinear_conv = convolution("QLinearConv", scaled_versions);

}  // namespace broadloom
