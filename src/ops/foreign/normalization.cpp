// Normalizations, embeddings and losses.
#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource quantized_embedding_types[] = {unknown, of(int32)};

void embedding(Call& call) {
  const SymbolicDims dims{size_of(call, 0, 0), size_of(call, 0, 1), size_of(call, 2, 1)};
  set(call, 0, dims);
  set(call, 1, {dims[0]});
  set(call, 2, dims);
}

// One loss for each target, or their sum.
void loss(Call& call) {
  if (text(call, "reduction") == "none") {
    set_like(call, 0, 1);
  } else {
    set(call, 0, {});
  }
  set_like(call, 1, 0);
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, negative_log_likelihood_loss) = onnx_operator("NegativeLogLikelihoodLoss", by<loss>, first_input);
BROADLOOM_OPERATOR(op::ruled, softmax_cross_entropy_loss) = onnx_operator("SoftmaxCrossEntropyLoss", by<loss>,
                                                                          first_input_twice);
BROADLOOM_OPERATOR(op::ruled::microsoft, q_embed_layer_normalization) = microsoft_operator("QEmbedLayerNormalization",
                                                                                           by<embedding>,
                                                                                           quantized_embedding_types);

}  // namespace broadloom
