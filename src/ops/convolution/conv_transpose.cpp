// ConvTranspose: each element of an image adds a filter to the result. ONNX: onnx/defs/nn/defs.cc and old.cc, ConvTranspose.
#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "kernels/convolution/transposed.h"
#include "ops/call/operator.h"
#include "ops/convolution/convolution.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {auto_pad_attribute,     {"dilations", INTS},      with_default("group", INT, 1),
                                        {"kernel_shape", INTS}, {"output_padding", INTS}, {"output_shape", INTS},
                                        {"pads", INTS},         {"strides", INTS}};
constexpr Signature signature{attributes, convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::floats}}, {11, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

// The axes of the image. Their `places` are the sizes of the result.
//
// By the text, the whole is stride * (size - 1) + output_padding + reach long. The part that is cut from it is
// 'pads', or follows from 'output_shape'; 'auto_pad' then says on which side the odd element is cut.
Result<WindowAxes> axes_of(const Call& call, std::span<const Size> image, std::span<const Size> weights) {
  BROADLOOM_TRY(axes, read_kernel(call, image, weights));
  const std::size_t count = axes.size();
  BROADLOOM_TRY(pads, read_pads(call, count));
  BROADLOOM_TRY(padding, read_numbers(call, "output_padding", count, 0, 0));
  // In some files it has the batch and the channels, too.
  const Attribute* output_shape = call.attributes.find("output_shape");
  const bool has_shape = output_shape != nullptr;
  const bool is_long = has_shape && output_shape->value.tensor.count() == static_cast<std::int64_t>(count) + 2;
  const std::size_t skipped = is_long ? 2 : 0;
  BROADLOOM_TRY(shape, read_numbers(call, "output_shape", count + skipped, 1, 1));
  const Sizes sizes = call.sizes();
  const std::string_view automatic = call.word("auto_pad");
  for (std::size_t i = 0; i < count; ++i) {
    WindowAxis& axis = axes[i];
    const Size moved = sizes.multiply(sizes.subtract(axis.size, 1), axis.stride);
    const Size whole = sizes.add(moved, sizes.add(reach_of(sizes, axis), padding[i]));
    if (has_shape || automatic.starts_with("SAME")) {
      axis.places = has_shape ? Size(shape[skipped + i]) : sizes.multiply(axis.size, axis.stride);
      const Size cut = sizes.maximum(sizes.subtract(whole, axis.places), 0);
      const Size half = sizes.floor_divide(cut, 2);
      axis.begin = automatic == "SAME_UPPER" ? half : sizes.subtract(cut, half);
      continue;
    }
    const bool is_valid = automatic == "VALID";
    axis.begin = is_valid ? 0 : pads[i];
    axis.places = sizes.subtract(whole, is_valid ? Size(0) : sizes.add(axis.begin, pads[count + i]));
    if (axis.places.is_negative()) {
      return impossible("attribute 'pads' cuts more than the {} elements of axis {}", whole, 2 + i);
    }
  }
  return axes;
}

TransposedAxes numbers_of(std::span<const WindowAxis> axes) {
  TransposedAxes numbers(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const WindowAxis& axis = axes[i];
    numbers[i] = {axis.size.number(), axis.kernel.number(), axis.stride,
                  axis.dilation,      axis.begin.number(),  axis.places.number()};
  }
  return numbers;
}

Status prepare(Call& call) {
  BROADLOOM_TRY(operands, read_operands(call, ChannelsAxis::first));
  const std::span<const Size> x = operands.image.values();
  if (x.empty()) return {};
  BROADLOOM_TRY(axes, axes_of(call, x.subspan(2), operands.weights.values().subspan(2)));
  set_places(call, operands, axes);
  Tensor& y = call.outputs[0];
  if (has_addressable_images(call) &&
      TransposedConvolution::is_planar(y.dtype, convolution_dims(call, ChannelsAxis::first), numbers_of(axes.values()))) {
    y.layout = uniform_layout(y.dims());
  }
  return {};
}

// Dense weights as packed ones.
class PackedWeights : public Storage::Substitute {
 public:
  PackedWeights(StorageRef packed, const TransposedConvolution& kernel, const Filters& filters)
      : packed_(std::move(packed)), kernel_(kernel), filters_(filters) {}
  void write(std::byte* to) const override {
    Filters places = filters_;
    places.data = to;
    kernel_.unpack(to, places, packed_->data());
  }

 private:
  StorageRef packed_;
  TransposedConvolution kernel_;
  Filters filters_;  // whose data are elsewhere
};

class ReadyConvTranspose final : public ReadyConvolution {
 public:
  ReadyConvTranspose(const Call& call, const TransposedAxes& axes, TransposedConvolution kernel)
      : ReadyConvolution(call, ChannelsAxis::first), axes_(axes), kernel_(std::move(kernel)) {}

  // nullptr where packed filters do not have all weights. Those of depthwise convolutions are small: they stay.
  std::unique_ptr<Storage::Substitute> substitute(const StorageRef& packed, const Call& call) const {
    const Tensor& weights = *call.inputs[1];
    const bool has_all = packed && kernel_.has_all_taps() && in_memory(weights.run_dims()[0]) > groups() && is_dense(weights);
    if (!has_all || !fills_storage(weights) || weights.dtype != call.outputs[0].dtype) return nullptr;
    return std::make_unique<PackedWeights>(packed, kernel_, filters_of(call));
  }

 private:
  Count kernel_bytes() const override { return kernel_.workspace_bytes(); }
  Count packed_bytes() const override { return kernel_.packed_bytes(); }
  Status pack_filters(std::byte* to, const Filters& filters) const override { return kernel_.pack(to, filters); }
  Status run_kernel(const Operands& it) const override {
    return kernel_.run(it.to, it.image, it.filters, it.bias, it.bias_step, it.workspace);
  }
  // The numbers that decide the phases, and which of these are packed.
  Dims form() const override {
    const std::int64_t some = kernel_.has_all_taps() ? 0 : 1;
    Dims numbers(2 + 5 * axes_.size(), static_cast<std::int64_t>(groups()));
    numbers[1] = kernel_.joins_phases() ? 2 : some;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const TransposedAxis& axis = axes_[i];
      const std::int64_t all[] = {axis.stride, axis.dilation, some * axis.size, some * axis.begin, some * axis.places};
      std::copy(std::begin(all), std::end(all), numbers.begin() + 2 + 5 * i);
    }
    return numbers;
  }

  TransposedAxes axes_;
  TransposedConvolution kernel_;
};

Result<std::unique_ptr<ReadyConvTranspose>> make_ready(const Call& call) {
  BROADLOOM_TRY(windows, axes_of(call, call.inputs[0]->dims().values().subspan(2), call.inputs[1]->dims().values().subspan(2)));
  const TransposedAxes axes = numbers_of(windows.values());
  BROADLOOM_TRY(kernel, TransposedConvolution::make(call.outputs[0].dtype, convolution_dims(call, ChannelsAxis::first), axes,
                                                    call.inputs[0]->layout, is_dense(call.inputs[1]->layout)));
  return std::make_unique<ReadyConvTranspose>(call, axes, std::move(kernel));
}

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  BROADLOOM_TRY(convolution, make_ready(call));
  const ReadyConvTranspose& own = *convolution;
  BROADLOOM_TRY(made, with_filters(call, std::move(convolution), packed));
  made.substitute = own.substitute(made.packed, call);
  return std::move(made);
}

// About the number of multiplications.
double extra_work(const Call& call) {
  const SymbolicDims& weights = call.inputs[1]->dims();
  return static_cast<double>(call.inputs[0]->count()) * static_cast<double>(count_of(weights.values().subspan(1)));
}

}  // namespace

BROADLOOM_OPERATOR(op, conv_transpose){
    .name = "ConvTranspose",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = extra_work,
};

}  // namespace broadloom
