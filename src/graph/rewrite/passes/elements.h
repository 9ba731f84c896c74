// Questions of passes about types and elements.
#pragma once

#include "core/tensor.h"

namespace broadloom {

// Whether a type has integers, which no bool is.
bool is_whole(Dtype dtype);
inline bool is_float(Dtype dtype) { return dtype == Dtype::float32 || dtype == Dtype::float64; }

// Whether all elements are the number 0, which is not -0, or the number 1. False without a tensor, and without elements.
bool are_all(const Tensor* tensor, bool is_one);
// Whether the elements are there, and none stands for what is not known.
bool is_known(const Tensor& tensor);

}  // namespace broadloom
