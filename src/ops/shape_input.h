// Inputs that hold a shape: int64 tensors with one axis.
#pragma once

#include <string_view>

#include "core/tensor.h"

namespace broadloom {

// The dims that the int64 tensor `shape` holds. Fails when it does not have exactly one axis, has more
// entries than a tensor can have axes, or a negative one.
// `name` is the input's name in the schema. ONNX: onnx/defs/shape_inference.cc, getShapeInput.
Result<Dims> read_shape(const Tensor& shape, std::string_view name);

}  // namespace broadloom
