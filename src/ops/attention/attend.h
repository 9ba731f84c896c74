// Attention, for all operators that have it: softmax(query * key^T) * value, head by head.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// Query, key, value and output are views with four axes: batch, heads, length, and size of a head. Keys and values have equally
// many heads. Queries have a multiple of that number: adjacent heads of queries share a head of keys.
struct Attended {
  Tensor query;
  Tensor key;
  Tensor value;
  Tensor output;
  double scale = 1;
  double cap = 0;     // of scores; 0: none
  Tensor added = {};  // to scores: [batch, heads, query length, length] of broadcast strides, dense rows of the computed type.
                      // Keys after the end of a shorter row are masked.
  // One number for each head of queries, in float32: a score of no key, which only takes a part of the weights. Empty: none.
  Tensor sinks = {};
  // A query at position p, which is its index + offset, attends keys from p - left on, and up to p + right; -1: without limit.
  std::int64_t offset = 0;
  std::int64_t left = -1;
  std::int64_t right = -1;
  // The number of keys of each of the batch, as int32 or int64, and what is added to it. Where queries end with the keys, the
  // last query is at the last key's position.
  const Tensor* lengths = nullptr;
  std::int64_t more = 0;
  bool ends_with_keys = true;
  // The scores as an output: after the product, the cap, what is added, or the softmax.
  enum class Stage : std::uint8_t { product, capped, added, softmax };
  const Tensor* scores = nullptr;
  Stage stage = Stage::product;
};

inline constexpr Kernels attention_kernels = loops(Operation::add) | folds(Operation::add);

// Computes in float32, or float64 where the query has that type, and rounds once. Scores have a block of memory; a query
// without any key gives zeros.
Status attend(const Attended& task);

// [batch, length, heads * size] as [batch, heads, length, size].
Tensor split_heads(const Tensor& tensor, std::int64_t heads);

// The numbers that a mask adds to scores. A bool mask adds 0 or -infinity.
Result<Tensor> added_by_mask(const Tensor& mask, Dtype computed);

// Writes [batch, heads, length, size]: the past, the new part, and then zeros. Either may be a view. `counts` has the length of
// the past for each sequence of the batch, as int64; without `counts`, all of `past` counts.
Status join_past(const Tensor& to, const Tensor* past, const Tensor& now, const Tensor* counts = nullptr);

// Keys or values after those of input `past`, if it is given: in this output, if the call has it.
Result<Tensor> with_past(const Call& call, std::size_t past, std::size_t output, const Tensor& now);

// The type that attention is computed in.
inline Dtype attention_type(Dtype dtype) { return dtype == Dtype::float64 ? dtype : Dtype::float32; }

}  // namespace broadloom
