// Values in the place of tensors: they get the element type and the dims that the model declares.
#pragma once

#include "core/tensor.h"
#include "graph/graph.h"

namespace broadloom {

// The meaning of a tensor that JavaScript made for a call. The numbers are those of Form in js/src/feeds.ts.
enum class FeedForm : std::uint8_t {
  tensor,  // itself
  values,  // one value, or lists within lists: numbers (float64), bigints (int64 or uint64), booleans or strings
  array,   // a typed array in the layout of the declared type, or one of integers
  rows,    // values of typed arrays in lists, which are not bits
};

// The tensor that `given` stands for as an input that is declared so. Numbers become elements as `encode` writes them; integers
// of arrays and bigints must be ones that the type holds. One list, or one value, takes the declared dims if they leave one way
// to do so; lists within lists have dims of their own. Fails for values that the type cannot hold, and for dims that remain
// open. An input that declares no type gets `given` itself, which check_feed refuses.
Result<Tensor> declared_tensor(const ValueInfo& input, const Tensor& given, FeedForm form);

}  // namespace broadloom
