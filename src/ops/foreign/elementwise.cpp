// Elementwise operators.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource elementwise_types_0[] = {like(0), of(boolean)};

void all_like_first(Call& call) {
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set_like(call, i, 0);
}

void half_of_last(Call& call) {
  if (const SymbolicDims* input = dims_of(call, 0))
    set(call, 0, with_last(input->values(), call.sizes().floor_divide(size_of(call, 0, -1), 2)));
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, optional_has_element) = onnx_operator("OptionalHasElement", by<scalars>, bools);
BROADLOOM_OPERATOR(op::ruled, sequence_length) = onnx_operator("SequenceLength", by<scalars>, int64s);
BROADLOOM_OPERATOR(op::ruled, swiglu) = onnx_operator("SwiGLU", by<broadcast<0, 1>>, first_input);
BROADLOOM_OPERATOR(op::ruled, tensor_scatter) = onnx_operator("TensorScatter", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, bias_add) = microsoft_operator("BiasAdd", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, bias_dropout) = microsoft_operator("BiasDropout", by<all_like_first>,
                                                                            elementwise_types_0, {.is_random = true});
BROADLOOM_OPERATOR(op::ruled::microsoft, bias_softmax) = microsoft_operator("BiasSoftmax", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, bias_split_gelu) = microsoft_operator("BiasSplitGelu", by<half_of_last>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, complex_mul) = microsoft_operator("ComplexMul", by<broadcast<0, 1>>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, gated_relative_position_bias) = microsoft_operator("GatedRelativePositionBias",
                                                                                            by<only_rank, 4>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, group_norm) = microsoft_operator("GroupNorm", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, moe) = microsoft_operator("MoE", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, qmoe) = microsoft_operator("QMoE", prepare_like_input, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, relative_position_bias) = microsoft_operator("RelativePositionBias", by<only_rank, 4>,
                                                                                      first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft, skip_group_norm) = microsoft_operator("SkipGroupNorm", prepare_like_input,
                                                                               first_input);

}  // namespace broadloom
