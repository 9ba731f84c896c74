// Tensors one behind the other.
#pragma once

#include <span>

#include "core/tensor.h"

namespace broadloom {

// A dense tensor of `dims` with the elements of all parts, each in row-major order: as many as the dims say. All are of type
// `dtype`. The strings of several texts come together in one.
Result<Tensor> join(std::span<const Tensor> parts, Dtype dtype, const Dims& dims);

}  // namespace broadloom
