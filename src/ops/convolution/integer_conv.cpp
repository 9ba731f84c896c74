// ConvInteger and QLinearConv: convolutions of integers of 8 bits. ONNX: onnx/defs/nn/defs.cc.
#include "core/count.h"
#include "core/text.h"
#include "kernels/products/pairs.h"
#include "ops/call/operator.h"
#include "ops/convolution/convolution.h"
#include "ops/product/integer_product.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum Option;
using enum TypeVariable;

constexpr Parameter inputs[] = {{"x", T1}, {"w", T2}, {"x_zero_point", T1, Optional}, {"w_zero_point", T2, Optional}};
constexpr Parameter outputs[] = {{"y", T3}};
constexpr Signature signature{convolution_attributes, inputs, outputs, {T1, T2, T3}};
constexpr OperatorVersion versions[] = {{10, &signature, {types::bytes, types::bytes, types::int32}}};

constexpr Signature scaled_signature{convolution_attributes, quantised_convolution_inputs, outputs, {T1, T2, T3, T4}};
constexpr OperatorVersion scaled_versions[] = {
    {10, &scaled_signature, {types::bytes, types::bytes, types::bytes, types::int32}}};

constexpr std::uint8_t absent = ProductInputs::none;
constexpr ProductInputs places{0, 1, {2, 3, absent, absent, absent, absent, absent}};
constexpr ProductInputs scaled_places{0, 3, {2, 5, 1, 4, 6, 7, 8}};

const ProductInputs& places_of(const Call& call) { return call.version.signature == &signature ? places : scaled_places; }

// The call with image, weights and bias alone, as Conv has them.
class ConvCall {
 public:
  explicit ConvCall(const Call& call)
      : inputs_{call.inputs[0], call.inputs[places_of(call).b], call.input(places_of(call).others[ProductInputs::bias])},
        call_(call.with(inputs_, call.outputs)) {}
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
  const Size filters = sizes.weights.empty() ? unknown_size : sizes.weights[0];
  for (std::size_t i = 0; i < ProductInputs::bias; ++i) {
    const bool is_of_w = i == ProductInputs::b_zero || i == ProductInputs::b_scale;
    BROADLOOM_CHECK(check_length_or_one(call, places_of(call).others[i], is_of_w ? filters : 1));
  }
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
    ProductParameters parameters;
    BROADLOOM_CHECK(parameters.read(call, places_of(call)));
    auto* const zeros = reinterpret_cast<std::int32_t*>(workspace);
    auto* const scales = reinterpret_cast<float*>(workspace + column_bytes());
    const bool has_zeros = parameters.write_zeros(zeros, results_, 0, call.inputs[places_of(call).b]->dtype);
    const auto get = [&](std::size_t which, float otherwise) { return parameters.get(which, 0, 0, 1, otherwise); };
    parameters.write_scales(scales, results_, 0, get(ProductInputs::a_scale, 1));
    const Rescaling rescaling{call.outputs[0].dtype, scales, nullptr, get(ProductInputs::y_zero, 0)};
    quantisation_ = {static_cast<int>(get(ProductInputs::a_zero, 0)), has_zeros ? zeros : nullptr,
                     parameters.has(ProductInputs::y_scale) ? &rescaling : nullptr};
    return ReadyConvolution::run_and_finish(ConvCall(call).call(), workspace + 2 * column_bytes(), finish);
  }

 private:
  static Convolution make(const Call& call, const WindowAxes& axes) {
    ConvolutionDims dims = convolution_dims(call, ChannelsAxis::second);
    dims.axes = numbers_of(axes);
    return {call.inputs[0]->dtype, std::move(dims), call.inputs[0]->layout};
  }
  static std::size_t results_of(const Call& call) { return in_memory(call.inputs[1]->run_dims()[0]); }
  // The bytes of a list with one number for each filter.
  std::size_t column_bytes() const { return whole_vectors(results_ * sizeof(float)); }
  Count kernel_bytes() const override { return kernel_.workspace_bytes() + Count(column_bytes()) * 2; }
  Count packed_bytes() const override { return kernel_.packed_bytes(); }
  Status pack_filters(std::byte* to, const Filters& filters) const override {
    kernel_.pack(to, filters);
    return {};
  }
  Status run_kernel(const Operands& it) const override {
    return kernel_.run(it.to, it.image, it.filters, it.bias, it.bias_step, it.workspace, it.finish, quantisation_);
  }
  Dims form() const override {
    // Pairs are packed as rows of the image are joined.
    return {static_cast<std::int64_t>(groups()), kernel_.has_joined_rows() ? 1 : 0};
  }

  Convolution kernel_;
  std::size_t results_;
  Quantisation quantisation_;
};

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  const ConvCall operands(call);
  BROADLOOM_TRY(axes, operands.axes());
  return with_filters(operands.call(), std::make_unique<ReadyIntegerConv>(operands.call(), axes), packed);
}

double extra_work(const Call& call) { return work_of_convolution(ConvCall(call).call()); }

constexpr Operator convolution(std::string_view name, std::span<const OperatorVersion> its_versions) {
  return {.name = name,
          .versions = its_versions,
          .prepare = prepare,
          .compute = run_once<ready>,
          .ready = ready,
          .extra_work = extra_work};
}

}  // namespace

BROADLOOM_OPERATOR(op, conv_integer) = convolution("ConvInteger", versions);
BROADLOOM_OPERATOR(op, qlinear_conv) = convolution("QLinearConv", scaled_versions);

}  // namespace broadloom
