// Tensors without elements, as they are known before a run.
#pragma once

#include "core/tensor.h"

namespace broadloom {

inline Tensor unranked(Dtype dtype) { return {dtype, LayoutRef::unranked()}; }

inline Tensor of_dims(Dtype dtype, const SymbolicDims& dims) { return {dtype, uniform_layout(dims)}; }

}  // namespace broadloom
