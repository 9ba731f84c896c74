// Conv: filters that slide over images or signals. ONNX: onnx/defs/nn/defs.cc and old.cc, Conv.
#include <cmath>
#include <memory>

#include "core/text.h"
#include "kernels/convolution/convolution.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "ops/packed_operands.h"
#include "ops/shapes/windows.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {one_of("auto_pad", "NOTSET SAME_UPPER SAME_LOWER VALID"),
                                        {"dilations", INTS},
                                        with_default("group", INT, 1),
                                        {"kernel_shape", INTS},
                                        {"pads", INTS},
                                        {"strides", INTS}};
constexpr Parameter inputs[] = {{"X", T}, {"W", T}, {"B", T, Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::floats}}, {11, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

Status check_channels(const Call& call, std::span<const Size> image, std::span<const Size> weights) {
  const std::int64_t groups = call.integer("group");
  if (groups < 1) return impossible("attribute 'group' is {}, wanted 1 or more", groups);
  if (image[1].is_number() && weights[1].is_number()) {
    const double wanted = static_cast<double>(weights[1].number()) * static_cast<double>(groups);
    if (static_cast<double>(image[1].number()) != wanted) {
      return impossible("input 0 has dims {}, but weights {} and {} group{s} want {} channel{s}", image, weights, groups,
                        wanted);
    }
  }
  if (weights[0].is_number() && weights[0].number() % groups != 0) {
    return impossible("{} filter{s} cannot be divided into {} group{s}", weights[0], groups);
  }
  return {};
}

Status prepare(Call& call) {
  const Tensor& image = *call.inputs[0];
  const Tensor& weights = *call.inputs[1];
  if (!image.is_ranked() && !weights.is_ranked()) return {};
  const std::size_t rank = image.is_ranked() ? image.dims().size() : weights.dims().size();
  if (rank < 3) return impossible("an image has {} ax{i}s, wanted [N, C, ...] with one more at least", rank);
  const SymbolicDims unknown(rank, unknown_size);
  const SymbolicDims& x = image.is_ranked() ? image.dims() : unknown;
  const SymbolicDims& w = weights.is_ranked() ? weights.dims() : unknown;
  if (w.size() != rank)
    return impossible("input 0 has dims {} and input 1 {}, wanted equally many axes", x.values(), w.values());
  BROADLOOM_CHECK(check_channels(call, x.values(), w.values()));
  BROADLOOM_CHECK(check_length(call, 2, w[0]));
  BROADLOOM_TRY(axes, slide_windows(call, x.values().subspan(2), w.values().subspan(2)));
  SymbolicDims dims(rank);
  dims[0] = x[0];
  dims[1] = w[0];
  for (std::size_t i = 0; i < axes.size(); ++i) dims[2 + i] = axes[i].places;
  call.outputs[0] = known_image(call.output_types[0], dims);
  return {};
}

Result<Convolution> convolution_of(const Call& call) {
  const Tensor& image = *call.inputs[0];
  const std::span<const Size> weights = call.inputs[1]->dims().values();
  BROADLOOM_TRY(axes, slide_windows(call, image.dims().values().subspan(2), weights.subspan(2)));
  ConvolutionDims dims;
  dims.batch = to_size(image.run_dims()[0]);
  dims.groups = to_size(call.integer("group"));
  dims.channels = to_size(weights[1].number());
  dims.filters = to_size(weights[0].number()) / dims.groups;
  dims.axes = numbers_of(axes);
  return Convolution(call.outputs[0].dtype, std::move(dims), image.layout);
}

// A convolution that is ready. Filters that are not constant are packed in each run.
class ReadyConvolution : public ReadyCall {
 public:
  ReadyConvolution(Convolution convolution, bool is_packed)
      : convolution_(std::move(convolution)), filter_bytes_(is_packed ? 0 : whole(convolution_.packed_bytes())) {}

  double bytes() const { return convolution_.workspace_bytes() + filter_bytes_; }
  std::uint64_t workspace_bytes() const override { return static_cast<std::uint64_t>(bytes()); }
  Status run(const Call& call, std::byte* workspace) override {
    const Tensor& weights = *call.inputs[1];
    const std::byte* packed = call.packed;
    if (packed == nullptr) {
      convolution_.pack(workspace, weights.data(), weights.layout);
      packed = workspace;
      workspace += static_cast<std::size_t>(filter_bytes_);
    }
    const Tensor* bias = call.input(2);
    const std::int64_t step =
        bias == nullptr ? 0 : bias->layout->strides[0] * static_cast<std::int64_t>(item_size(bias->dtype));
    convolution_.run(call.outputs[0].data(), call.inputs[0]->data(), packed, bias == nullptr ? nullptr : bias->data(),
                     static_cast<std::ptrdiff_t>(step), workspace);
    return {};
  }

 private:
  static double whole(double bytes) { return std::ceil(bytes / vector_bytes) * vector_bytes; }

  Convolution convolution_;
  double filter_bytes_;
};

Status compute(Call& call) {
  BROADLOOM_TRY(convolution, convolution_of(call));
  ReadyConvolution ready(std::move(convolution), false);
  BROADLOOM_TRY(workspace, allocate_workspace(ready.bytes()));
  return ready.run(call, workspace->data());
}

Result<StorageRef> pack(const Call& call, PackedOperands& packed) {
  BROADLOOM_TRY(convolution, convolution_of(call));
  const Tensor& weights = *call.inputs[1];
  StorageRef filters;
  if (convolution.packed_bytes() + convolution.workspace_bytes() > static_cast<double>(max_count)) return StorageRef();
  if (weights.has_elements()) {
    const Layout& layout = weights.layout;
    Dims form(1 + 2 * layout.dims.size(), call.integer("group"));
    for (std::size_t i = 0; i < layout.dims.size(); ++i) {
      form[1 + 2 * i] = layout.dims[i].number();
      form[2 + 2 * i] = layout.strides[i];
    }
    const Tensor* const constants[] = {&weights};
    BROADLOOM_TRY(
        made, packed.pack(PackedOperands::Kind::filters, constants, form, static_cast<std::size_t>(convolution.packed_bytes()),
                          [&](std::byte* to) { convolution.pack(to, weights.data(), layout); }));
    filters = std::move(made);
  }
  packed.ready = std::make_unique<ReadyConvolution>(std::move(convolution), bool{filters});
  return filters;
}

// About the number of multiplications.
double extra_work(const Call& call) {
  const SymbolicDims& weights = call.inputs[1]->dims();
  return static_cast<double>(call.outputs[0].count()) * static_cast<double>(count_of(weights.values().subspan(1)));
}

}  // namespace

constinit const Operator op::conv{
    .name = "Conv",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .pack = pack,
    .extra_work = extra_work,
};

}  // namespace broadloom
