// Convolutions.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

void convolution_with_state(Call& call) {
  set_like(call, 0, 0);
  const Sizes sizes = call.sizes();
  set(call, 1, {size_of(call, 0, 0), size_of(call, 0, 1), sizes.subtract(size_of(call, 1, -1), 1)});
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, causal_conv_with_state) = onnx_operator("CausalConvWithState", by<convolution_with_state>,
                                                                      first_input_twice);

}  // namespace broadloom
