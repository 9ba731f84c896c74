// Convolutions.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/foreign/windows.h"

namespace broadloom {

using namespace foreign;

namespace {

Status convolution(Call& call, std::size_t weights_input, Channels channels) {
  const SymbolicDims* weights = dims_of(call, weights_input);
  if (weights_input == 1 && dims_of(call, 0) != nullptr) BROADLOOM_CHECK(want_rank(call, 1, dims_of(call, 0)->size()));
  SymbolicDims dims = image_of(call, weights);
  if (dims.size() < 2) return {};
  const Image image(call, dims.size(), channels);
  slide(call, image, kernel_of(call, image, weights), dims);
  dims[image.channel()] = weights == nullptr ? unknown_size : (*weights)[0];
  set(call, 0, dims);
  return {};
}

void convolution_with_state(Call& call) {
  set_like(call, 0, 0);
  const Sizes sizes = call.sizes();
  set(call, 1, {size_of(call, 0, 0), size_of(call, 0, 1), sizes.subtract(size_of(call, 1, -1), 1)});
}

}  // namespace

constinit const Operator op::causal_conv_with_state =
    onnx_operator("CausalConvWithState", by<convolution_with_state>, first_input_twice);
constinit const Operator op::microsoft::nhwc_conv =
    microsoft_operator("NhwcConv", by<convolution, 1, Channels::last>, first_input);
constinit const Operator op::microsoft::nhwc_fused_conv =
    microsoft_operator("NhwcFusedConv", by<convolution, 1, Channels::last>, first_input);
constinit const Operator op::microsoft::qlinear_conv =
    microsoft_operator("QLinearConv", by<convolution, 3, Channels::first>, eighth_input);

}  // namespace broadloom
