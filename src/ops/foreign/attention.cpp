// Attention.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

// A size divided by the number of heads.
Size per_head(const Call& call, Size size, Size heads) {
  return heads.is_number() && heads.number() > 0 ? call.sizes().floor_divide(size, heads) : unknown_size;
}

// Queries [batch, length, heads * size], values, and a state [batch, heads, size, size].
void linear_attention_dims(Call& call) {
  const Size query_heads = integer(call, "q_num_heads", unknown_size);
  const Size heads = integer(call, "kv_num_heads", unknown_size);
  const Size key = per_head(call, size_of(call, 1, 2), heads);
  const Size value = per_head(call, size_of(call, 2, 2), heads);
  const Size width = call.sizes().multiply(query_heads, value);
  set(call, 0, {size_of(call, 0, 0), size_of(call, 0, 1), query_heads == heads ? size_of(call, 2, 2) : width});
  set(call, 1, {size_of(call, 0, 0), heads, key, value});
}

// Queries are [batch, length, size]. Alternatively, one tensor [batch, length, heads, 3, size] has all.
void multi_head_attention_dims(Call& call) {
  const SymbolicDims* query = dims_of(call, 0);
  if (query == nullptr) return;
  const Sizes sizes = call.sizes();
  const SymbolicDims* value = dims_of(call, 2);
  SymbolicDims dims{(*query).empty() ? unknown_size : (*query)[0], size_of(call, 0, 1), unknown_size};
  if (query->size() == 5) {
    dims[2] = sizes.multiply((*query)[2], (*query)[4]);
  } else if (value != nullptr && value->size() == 3) {
    dims[2] = (*value)[2];
  } else if (value != nullptr && value->size() == 4) {
    dims[2] = sizes.multiply((*value)[1], (*value)[3]);
  } else if (!is_given(call, 2) && query->size() == 3) {
    dims[2] = (*query)[2];
  }
  set(call, 0, dims);
  for (std::size_t i = 1; i < call.outputs.size(); ++i) set_rank(call, i, 4);
}

}  // namespace

BROADLOOM_OPERATOR(op::ruled, linear_attention) = onnx_operator("LinearAttention", by<linear_attention_dims>, first_input);
BROADLOOM_OPERATOR(op::ruled::microsoft,
                   decoder_masked_multi_head_attention) = microsoft_operator("DecoderMaskedMultiHeadAttention",
                                                                             by<multi_head_attention_dims>, first_input);

}  // namespace broadloom
