// Values in the place of tensors: they get the element type and the dims that the model declares.
#pragma once

#include "core/tensor.h"
#include "graph/structure/graph.h"

namespace broadloom {

// The tensor that `given` stands for as an input that is declared so. Numbers become elements as `encode` writes them; integers
// of arrays and bigints must be ones that the type holds. One list, or one value, takes the declared dims if they leave one way
// to do so; lists within lists have dims of their own. Fails for values that the type cannot hold, and for dims that remain
// open. An input that declares no type gets `given` itself, which check_feed refuses.
Result<Tensor> declared_tensor(const ValueInfo& input, const Tensor& given, FeedForm form);

}  // namespace broadloom
