// Inputs and attributes that Attention and MultiHeadAttention share.
//
// Masks of lengths [batch] and [2 * batch] and of flags [batch, keys] and [batch, queries, keys] are supported. A hidden key's
// score gets mask_filter_value.
#pragma once

#include "ops/attention/attend.h"
#include "ops/call/operator.h"

namespace broadloom {

// num_heads, which is 1 or more.
Result<std::int64_t> read_heads(const Call& call);

// Fails if `size` is known, and not a multiple of `heads`.
Status check_heads(Size size, std::int64_t heads);

// Checks a mask of flags or lengths.
Status check_mask(const Call& call, std::size_t input, Size batch, Size queries, Size total);

// The sum of the mask (its filter value) and the bias, which is added to scores.
Result<Tensor> added_to_scores(const Call& call, std::size_t mask_input, std::size_t bias_input, const Attended& task);

// The scale, and whether queries see later keys.
void set_options(Attended& task, const Call& call);

// A part of the last axis.
Tensor part_of_last(const Tensor& tensor, std::int64_t first, std::int64_t size);

}  // namespace broadloom
