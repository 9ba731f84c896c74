#include "ops/convolution/convolution.h"

#include "core/count.h"
#include "core/text.h"

namespace broadloom {

Result<ConvolutionOperands> read_operands(const Call& call, ChannelsAxis axis) {
  const Tensor& image = *call.inputs[0];
  const Tensor& weights = *call.inputs[1];
  Result<ConvolutionOperands> operands(tl::in_place);
  if (!image.is_ranked() && !weights.is_ranked()) return operands;
  const std::size_t rank = (image.is_ranked() ? image : weights).dims().size();
  if (rank < 3) return impossible("an image has {} ax{i}s, wanted [N, C, ...] with one more at least", rank);
  const SymbolicDims unknown(rank, unknown_size);
  const SymbolicDims& x = operands->image = image.is_ranked() ? image.dims() : unknown;
  const SymbolicDims& w = operands->weights = weights.is_ranked() ? weights.dims() : unknown;
  if (w.size() != rank) {
    return impossible("the image has dims {} and the weights {}, wanted equally many axes", x.values(), w.values());
  }
  const std::int64_t groups = call.integer("group");
  if (groups < 1) return impossible("attribute 'group' is {}, wanted 1 or more", groups);
  const Sizes sizes = call.sizes();
  const bool is_first = axis == ChannelsAxis::first;
  const Size channels = is_first ? w[0] : sizes.multiply(w[1], groups);
  operands->filters = is_first ? sizes.multiply(w[1], groups) : w[0];
  if (differ(x[1], channels)) {
    return impossible("the image has dims {}, but weights {} and {} group{s} want {} channel{s}", x.values(), w.values(),
                      groups, channels);
  }
  if (w[0].is_number() && w[0].number() % groups != 0) {
    return impossible("{} {} cannot be divided into {} group{s}", w[0], is_first ? "channels" : "filters", groups);
  }
  BROADLOOM_CHECK(check_length(call, 2, operands->filters));
  return operands;
}

void set_places(Call& call, const ConvolutionOperands& operands, const WindowAxes& axes) {
  SymbolicDims dims = operands.image;
  dims[1] = operands.filters;
  for (std::size_t i = 0; i < axes.size(); ++i) dims[2 + i] = axes[i].places;
  call.outputs[0] = known_image(call.output_types[0], dims);
}

ConvolutionDims convolution_dims(const Call& call, ChannelsAxis axis) {
  const std::span<const std::int64_t> weights = call.inputs[1]->run_dims();
  ConvolutionDims dims;
  dims.batch = in_memory(call.inputs[0]->run_dims()[0]);
  dims.groups = in_memory(call.integer("group"));
  const std::size_t first = in_memory(weights[0]) / dims.groups;
  dims.channels = axis == ChannelsAxis::first ? first : in_memory(weights[1]);
  dims.filters = axis == ChannelsAxis::first ? in_memory(weights[1]) : first;
  return dims;
}

bool has_addressable_images(const Call& call) {
  const auto is_addressable = [](const Tensor& tensor) {
    Count bytes = item_size(tensor.dtype);
    for (const Size size : tensor.dims()) {
      if (!size.is_number()) return false;
      bytes *= size.number();
    }
    return bytes.is_addressable();
  };
  return call.is_run() && is_addressable(*call.inputs[0]) && is_addressable(*call.inputs[1]) && is_addressable(call.outputs[0]);
}

ReadyConvolution::ReadyConvolution(const Call& call, ChannelsAxis axis)
    : axis_(axis), groups_(in_memory(call.integer("group"))) {}

Filters ReadyConvolution::filters_of(const Call& call) const {
  const Tensor& weights = *call.inputs[1];
  const Layout& layout = weights.layout;
  const auto step = [&](std::size_t i) {
    return static_cast<std::ptrdiff_t>(layout.strides[i]) * static_cast<std::ptrdiff_t>(item_size(weights.dtype));
  };
  const std::size_t in_group = in_memory(weights.run_dims()[0]) / groups_;
  Filters filters{weights.data(),
                  times(in_group, step(0)),
                  step(0),
                  step(1),
                  {layout.dims.values().subspan(2), layout.strides.values().subspan(2)},
                  weights.dtype};
  if (axis_ == ChannelsAxis::first) std::swap(filters.filter_step, filters.channel_step);
  return filters;
}

// Packs the filters of a call, with their scales where they are bytes.
Status ReadyConvolution::pack_filters_of(const Call& call, std::byte* to) const {
  Filters filters = filters_of(call);
  ByteScales scales{filters.dtype, nullptr, 0, nullptr, 0};
  if (has_byte_filters(call)) {
    const auto set = [](const Tensor* numbers, const std::byte*& at, std::ptrdiff_t& step) {
      if (numbers == nullptr) return;
      at = numbers->data();
      const std::int64_t stride = numbers->count() == 1 ? 0 : numbers->layout->strides[0];
      step = static_cast<std::ptrdiff_t>(stride) * static_cast<std::ptrdiff_t>(item_size(numbers->dtype));
    };
    set(call.input(byte_filter_inputs::scale), scales.scales, scales.scale_step);
    set(call.input(byte_filter_inputs::zero), scales.zeros, scales.zero_step);
    filters.scales = &scales;
  }
  return pack_filters(to, filters);
}

Result<StorageRef> ReadyConvolution::pack(const Call& call, PackedOperands* packed) {
  const Tensor& weights = *call.inputs[1];
  if (packed == nullptr || !weights.has_elements()) {
    filter_bytes_ = whole_vectors(packed_bytes());
    return StorageRef();
  }
  const Layout& layout = weights.layout;
  const Dims numbers = form();
  const std::size_t rank = layout.dims.size();
  Dims key(numbers.size() + 2 * rank);
  for (std::size_t i = 0; i < key.size(); ++i) {
    key[i] = i < rank ? layout.dims[i].number() : i < 2 * rank ? layout.strides[i - rank] : numbers[i - 2 * rank];
  }
  const bool are_bytes = has_byte_filters(call);
  const Tensor* const constants[] = {&weights, are_bytes ? call.inputs[byte_filter_inputs::scale] : nullptr,
                                     are_bytes ? call.inputs[byte_filter_inputs::zero] : nullptr};
  return packed->pack(PackedOperands::Kind::filters, constants, key, packed_bytes(),
                      [&](std::byte* to) { return pack_filters_of(call, to); });
}

Status ReadyConvolution::run_and_finish(const Call& call, std::byte* workspace, Finish* finish) {
  const Tensor* bias = call.input(2);
  Operands operands{call.outputs[0].data(), call.inputs[0]->data(), call.packed, nullptr, 0, workspace, finish};
  if (bias != nullptr) {
    operands.bias = bias->data();
    operands.bias_step =
        static_cast<std::ptrdiff_t>(bias->layout->strides[0]) * static_cast<std::ptrdiff_t>(item_size(bias->dtype));
  }
  if (operands.filters == nullptr) {
    BROADLOOM_CHECK(pack_filters_of(call, workspace));
    operands.filters = workspace;
    operands.workspace += in_memory(filter_bytes_);
  }
  return run_kernel(operands);
}

Result<Ready> with_filters(const Call& call, std::unique_ptr<ReadyConvolution> convolution, PackedOperands* packed) {
  BROADLOOM_TRY(filters, convolution->pack(call, packed));
  return Ready{std::move(filters), std::move(convolution), nullptr};
}

double work_of_convolution(const Call& call) {
  const SymbolicDims& weights = call.inputs[1]->dims();
  return static_cast<double>(call.outputs[0].count()) * static_cast<double>(count_of(weights.values().subspan(1)));
}

}  // namespace broadloom
