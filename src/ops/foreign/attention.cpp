// Attention.
#include <algorithm>

#include "ops/foreign/foreign.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr TypeSource fourth_input_twice[] = {like(3), like(3)};

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

// Inputs are [batch, length, size]. The weights of queries, keys and values are concatenated.
void packed_attention(Call& call, std::size_t past_input) {
  const Sizes sizes = call.sizes();
  const IntegerList hidden = list(call, "qkv_hidden_sizes");
  Size width = sizes.floor_divide(size_of(call, 1, 1), 3);
  if (hidden.is_given) width = hidden.size() == 3 ? hidden.values[2] : unknown_size;
  const Size length = size_of(call, 0, 1);
  set(call, 0, {size_of(call, 0, 0), length, width});
  SymbolicDims past(5, unknown_size);
  if (const SymbolicDims* before = dims_of(call, past_input); before != nullptr && before->size() == 5) {
    past = *before;
    past[3] = sizes.add(past[3], length);
  }
  past[0] = 2;
  set(call, 1, past);
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

constinit const Operator op::linear_attention = onnx_operator("LinearAttention", by<linear_attention_dims>, first_input);
constinit const Operator op::microsoft::decoder_masked_multi_head_attention =
    microsoft_operator("DecoderMaskedMultiHeadAttention", by<multi_head_attention_dims>, first_input);
constinit const Operator op::microsoft::q_attention =
    microsoft_operator("QAttention", by<packed_attention, 8>, fourth_input_twice);

}  // namespace broadloom
