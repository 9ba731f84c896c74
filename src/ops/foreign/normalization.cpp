// Normalizations, embeddings and losses.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/shapes/reduction.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource embedding_types[] = {like(2), of(int32), like(2)};
constexpr TypeSource quantized_embedding_types[] = {unknown, of(int32)};

void layer_normalization_dims(Call& call) {
  set_like(call, 0, 0);
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr) return;
  const std::optional<std::size_t> axis = axis_at(integer(call, "axis", -1), input->size());
  if (!axis) return;
  const SymbolicDims dims = statistics_dims(input->values(), *axis);
  for (std::size_t i = 1; i < call.outputs.size(); ++i) set(call, i, dims);
}

void skip_normalization(Call& call) {
  set_like(call, 0, 0);
  set_like(call, 3, 0);
}

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

constinit const Operator op::negative_log_likelihood_loss = onnx_operator("NegativeLogLikelihoodLoss", by<loss>, first_input);
constinit const Operator op::simplified_layer_normalization =
    onnx_operator("SimplifiedLayerNormalization", by<layer_normalization_dims>, first_input);
constinit const Operator op::softmax_cross_entropy_loss = onnx_operator("SoftmaxCrossEntropyLoss", by<loss>, first_input_twice);
constinit const Operator op::microsoft::embed_layer_normalization =
    microsoft_operator("EmbedLayerNormalization", by<embedding>, embedding_types);
constinit const Operator op::microsoft::layer_normalization =
    microsoft_operator("LayerNormalization", by<layer_normalization_dims>, first_input);
constinit const Operator op::microsoft::q_embed_layer_normalization =
    microsoft_operator("QEmbedLayerNormalization", by<embedding>, quantized_embedding_types);
constinit const Operator op::microsoft::simplified_layer_normalization =
    microsoft_operator("SimplifiedLayerNormalization", by<layer_normalization_dims>, first_input);
constinit const Operator op::microsoft::skip_layer_normalization =
    microsoft_operator("SkipLayerNormalization", by<skip_normalization>, first_input);
constinit const Operator op::microsoft::skip_simplified_layer_normalization =
    microsoft_operator("SkipSimplifiedLayerNormalization", by<skip_normalization>, first_input);

}  // namespace broadloom
