// Conv: filters that slide over images or signals. ONNX: onnx/defs/nn/defs.cc and old.cc, Conv.
#include "ops/convolution.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Signature signature{convolution_attributes, convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::floats}}, {11, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

Status prepare(Call& call) {
  BROADLOOM_TRY(operands, read_operands(call, ChannelsAxis::second));
  const std::span<const Size> x = operands.image.values();
  if (x.empty()) return {};
  BROADLOOM_TRY(axes, slide_windows(call, x.subspan(2), operands.weights.values().subspan(2)));
  set_places(call, operands, axes);
  return {};
}

class ReadyConv final : public ReadyConvolution {
 public:
  ReadyConv(const Call& call, const WindowAxes& axes)
      : ReadyConvolution(call, ChannelsAxis::second), kernel_(make(call, axes)) {}
  bool can_finish() const override { return true; }

 private:
  static Convolution make(const Call& call, const WindowAxes& axes) {
    ConvolutionDims dims = convolution_dims(call, ChannelsAxis::second);
    dims.axes = numbers_of(axes);
    return {call.outputs[0].dtype, std::move(dims), call.inputs[0]->layout};
  }
  double kernel_bytes() const override { return kernel_.workspace_bytes(); }
  double packed_bytes() const override { return kernel_.packed_bytes(); }
  void pack_filters(std::byte* to, const Filters& filters) const override { kernel_.pack(to, filters); }
  void run_kernel(const Operands& it) const override {
    kernel_.run(it.to, it.image, it.filters, it.bias, it.bias_step, it.workspace, it.finish);
  }
  Dims form() const override { return {static_cast<std::int64_t>(groups())}; }

  Convolution kernel_;
};

Result<WindowAxes> axes_of(const Call& call) {
  return slide_windows(call, call.inputs[0]->dims().values().subspan(2), call.inputs[1]->dims().values().subspan(2));
}

Status compute(Call& call) {
  BROADLOOM_TRY(axes, axes_of(call));
  ReadyConv ready(call, axes);
  return compute_once(call, ready);
}

Result<StorageRef> pack(const Call& call, PackedOperands& packed) {
  BROADLOOM_TRY(axes, axes_of(call));
  return pack_convolution(call, std::make_unique<ReadyConv>(call, axes), packed);
}

}  // namespace

constinit const Operator op::conv{
    .name = "Conv",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .pack = pack,
    .extra_work = work_of_convolution,
};

}  // namespace broadloom
