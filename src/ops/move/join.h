// Joins tensors.
#pragma once

#include <span>

#include "core/tensor.h"

namespace broadloom {

// A dense tensor of `dims` with the elements of all parts in sequence, each in row-major order. All parts have the type
// `dtype`. The strings of several texts are copied to one text.
Result<Tensor> join(std::span<const Tensor> parts, Dtype dtype, const SymbolicDims& dims);

}  // namespace broadloom
