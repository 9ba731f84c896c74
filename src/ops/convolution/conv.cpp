// Conv: filters that slide over images or signals. ONNX: onnx/defs/nn/defs.cc and old.cc, Conv.
#include "core/count.h"
#include "kernels/convolution/planar.h"
#include "kernels/convolution/winograd.h"
#include "ops/call/operator.h"
#include "ops/convolution/convolution.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Signature signature{convolution_attributes, convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::floats}}, {11, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

ConvolutionDims dims_of(const Call& call, const WindowAxes& axes) {
  ConvolutionDims dims = convolution_dims(call, ChannelsAxis::second);
  dims.axes = numbers_of(axes);
  return dims;
}

Status prepare(Call& call) {
  BROADLOOM_TRY(operands, read_operands(call, ChannelsAxis::second));
  const std::span<const Size> x = operands.image.values();
  if (x.empty()) return {};
  BROADLOOM_TRY(axes, slide_windows(call, x.subspan(2), operands.weights.values().subspan(2)));
  set_places(call, operands, axes);
  if (has_addressable_images(call) && PlanarConvolution::suits(call.outputs[0].dtype, dims_of(call, axes))) {
    call.outputs[0].layout = uniform_layout(call.outputs[0].dims());
  }
  return {};
}

// With a kernel that is Convolution, WinogradConvolution or PlanarConvolution.
template <class Kernel>
class ReadyConv final : public ReadyConvolution {
 public:
  // Filters are packed in one way for each number of groups.
  ReadyConv(const Call& call, Kernel kernel, std::int64_t groups)
      : ReadyConvolution(call, ChannelsAxis::second), kernel_(std::move(kernel)), groups_(groups) {}
  bool can_finish() const override { return true; }

 private:
  Count kernel_bytes() const override { return kernel_.workspace_bytes(); }
  Count packed_bytes() const override { return kernel_.packed_bytes(); }
  Status pack_filters(std::byte* to, const Filters& filters) const override {
    kernel_.pack(to, filters);
    return {};
  }
  Status run_kernel(const Operands& it) const override {
    return kernel_.run(it.to, it.image, it.filters, it.bias, it.bias_step, it.workspace, it.finish);
  }
  Dims form() const override { return {groups_}; }

  Kernel kernel_;
  std::int64_t groups_;
};

std::unique_ptr<ReadyConvolution> make_ready(const Call& call, const WindowAxes& axes) {
  ConvolutionDims dims = dims_of(call, axes);
  const Dtype dtype = call.outputs[0].dtype;
  const Layout& images = call.inputs[0]->layout;
  const bool are_bytes = has_byte_filters(call);
  if (WinogradConvolution::suits(dtype, dims)) {
    return std::make_unique<ReadyConv<WinogradConvolution>>(call, WinogradConvolution(std::move(dims), images, are_bytes), 1);
  }
  const std::int64_t groups = static_cast<std::int64_t>(dims.groups);
  // Callers may have the channels of the result last (NhwcConv, DeformConv).
  if (PlanarConvolution::suits(dtype, dims) && is_dense(result_layout(call.outputs[0].layout))) {
    return std::make_unique<ReadyConv<PlanarConvolution>>(call, PlanarConvolution(std::move(dims), images), groups);
  }
  return std::make_unique<ReadyConv<Convolution>>(call, Convolution(dtype, std::move(dims), images, are_bytes), groups);
}

Result<WindowAxes> axes_of(const Call& call) {
  return slide_windows(call, call.inputs[0]->dims().values().subspan(2), call.inputs[1]->dims().values().subspan(2));
}

// Dense filters as packed ones.
class PackedWeights : public Storage::Substitute {
 public:
  PackedWeights(StorageRef packed, const PackedFilters& filters) : packed_(std::move(packed)), filters_(filters) {}
  void write(std::byte* to) const override { filters_.unpack(to, packed_->data()); }

 private:
  StorageRef packed_;
  PackedFilters filters_;
};

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  BROADLOOM_TRY(axes, axes_of(call));
  BROADLOOM_TRY(made, with_filters(call, make_ready(call, axes), packed));
  const ConvolutionDims dims = convolution_dims(call, ChannelsAxis::second);
  // Filters of depthwise convolutions are small: they stay.
  if (made.packed && dims.channels > 1 && is_dense(*call.inputs[1]) && fills_storage(*call.inputs[1])) {
    const std::size_t taps = in_memory(count_of(call.inputs[1]->run_dims().subspan(2)));
    made.substitute = std::make_unique<PackedWeights>(
        made.packed, PackedFilters{call.inputs[1]->dtype, dims.groups, dims.filters, dims.channels, taps});
  }
  return std::move(made);
}

}  // namespace

BROADLOOM_OPERATOR(op, conv){
    .name = "Conv",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_convolution,
};

}  // namespace broadloom
