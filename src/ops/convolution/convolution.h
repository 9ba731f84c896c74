// Shared by convolutions: their rows, weights, and calls that are made ready.
#pragma once

#include <memory>

#include "core/count.h"
#include "kernels/convolution/convolution.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/ready_call.h"
#include "ops/dims/windows.h"
#include "ops/packed_operands.h"
#include "ops/type_sets.h"

namespace broadloom {

inline constexpr AttributeSpec convolution_attributes[] = {auto_pad_attribute,
                                                           {"dilations", AttributeType::INTS},
                                                           with_default("group", AttributeType::INT, 1),
                                                           {"kernel_shape", AttributeType::INTS},
                                                           {"pads", AttributeType::INTS},
                                                           {"strides", AttributeType::INTS}};
inline constexpr Parameter convolution_inputs[] = {
    {"X", TypeVariable::T}, {"W", TypeVariable::T}, {"B", TypeVariable::T, Option::Optional}};
inline constexpr Parameter convolution_outputs[] = {{"Y", TypeVariable::T}};

// The rows of convolutions that add a tensor and apply a function, and of those of quantised images.
inline constexpr AttributeSpec fused_convolution_attributes[] = {{"activation", AttributeType::STRING},
                                                                 {"activation_params", AttributeType::FLOATS},
                                                                 auto_pad_attribute,
                                                                 {"dilations", AttributeType::INTS},
                                                                 with_default("group", AttributeType::INT, 1),
                                                                 {"kernel_shape", AttributeType::INTS},
                                                                 {"pads", AttributeType::INTS},
                                                                 {"strides", AttributeType::INTS}};
inline constexpr Parameter fused_convolution_inputs[] = {{"X", TypeVariable::T},
                                                         {"W", TypeVariable::T},
                                                         {"B", TypeVariable::T, Option::Optional},
                                                         {"Z", TypeVariable::T, Option::Optional}};
inline constexpr Parameter quantised_convolution_inputs[] = {
    {"x", TypeVariable::T1},     {"x_scale", Dtype::float32},        {"x_zero_point", TypeVariable::T1},
    {"w", TypeVariable::T2},     {"w_scale", Dtype::float32},        {"w_zero_point", TypeVariable::T2},
    {"y_scale", Dtype::float32}, {"y_zero_point", TypeVariable::T3}, {"B", TypeVariable::T4, Option::Optional}};

// Conv as plans have it where filters stay in bytes: each stands for (W - zero) * scale, as
// DequantizeLinear computes it. A scale or zero point is one number, or one for each filter. No file has this version. W is
// constant.
namespace byte_filter_inputs {
enum : std::uint8_t { x, w, bias, scale, zero, how_many };
}
inline constexpr Parameter byte_filter_parameters[] = {{"X", TypeVariable::T1},
                                                       {"W", TypeVariable::T2},
                                                       {"B", TypeVariable::T1, Option::Optional},
                                                       {"scale", TypeVariable::T1},
                                                       {"zero", TypeVariable::T2, Option::Optional}};
inline constexpr Parameter byte_filter_outputs[] = {{"Y", TypeVariable::T1}};
inline constexpr Signature byte_filter_signature{
    convolution_attributes, byte_filter_parameters, byte_filter_outputs, {TypeVariable::T1, TypeVariable::T2}};
inline constexpr OperatorVersion conv_of_bytes{11, &byte_filter_signature, {types::float32, types::bytes}};
template <class CallOrNode>
bool has_byte_filters(const CallOrNode& it) {
  return it.inputs.size() == byte_filter_inputs::how_many;
}

// The axis of the weights that has the channels of the image: 1 for Conv; 0 for ConvTranspose, where axis 1 has the filters.
enum class ChannelsAxis : std::uint8_t { first, second };

// The dims of the image and of the weights. If the rank of one is unknown, it gets the rank of the other, and unknown sizes; if
// both ranks are unknown, there are no dims. Fails unless both have equally many axes, 'group' divides the channels and
// filters, the image has the channels that the weights want, and the bias, input 2, has one element for each filter.
struct ConvolutionOperands {
  SymbolicDims image;
  SymbolicDims weights;
  Size filters;  // of all groups
};
Result<ConvolutionOperands> read_operands(const Call& call, ChannelsAxis axis);

// Sets the output's dims: the batch, a channel for each filter, and the places of each axis.
void set_places(Call& call, const ConvolutionOperands& operands, const WindowAxes& axes);

// In a run: the dims without axes.
ConvolutionDims convolution_dims(const Call& call, ChannelsAxis axis);

// Whether a call is a run in which addresses can hold the image, the weights and the result: others are refused after
// `prepare`.
bool has_addressable_images(const Call& call);

// A convolution that is made ready.
class ReadyConvolution : public ReadyCall {
 public:
  ReadyConvolution(const Call& call, ChannelsAxis axis);

  Count workspace_bytes() const override { return filter_bytes_ + kernel_bytes(); }
  Status run(const Call& call, std::byte* workspace) override { return run_and_finish(call, workspace, nullptr); }
  Status run_and_finish(const Call& call, std::byte* workspace, Finish* finish) override;

  // Packs filters that are constant. Others are packed in each run.
  Result<StorageRef> pack(const Call& call, PackedOperands* packed);

 protected:
  // Where a kernel finds its operands.
  struct Operands {
    std::byte* to;
    const std::byte* image;
    const std::byte* filters;
    const std::byte* bias;
    std::ptrdiff_t bias_step;
    std::byte* workspace;
    Finish* finish;
  };
  virtual Count kernel_bytes() const = 0;
  virtual Count packed_bytes() const = 0;
  virtual Status pack_filters(std::byte* to, const Filters& filters) const = 0;
  virtual Status run_kernel(const Operands& operands) const = 0;
  // The numbers besides the weights that packed filters depend on.
  virtual Dims form() const = 0;
  std::size_t groups() const { return groups_; }
  Filters filters_of(const Call& call) const;

 private:
  Status pack_filters_of(const Call& call, std::byte* to) const;

  ChannelsAxis axis_;
  std::size_t groups_;
  Count filter_bytes_;  // of those that are packed in each run
};

// Operator::ready: packs the filters of a convolution.
Result<Ready> with_filters(const Call& call, std::unique_ptr<ReadyConvolution> convolution, PackedOperands* packed);

// Operator::extra_work of a Conv: about the number of multiplications.
double work_of_convolution(const Call& call);

}  // namespace broadloom
