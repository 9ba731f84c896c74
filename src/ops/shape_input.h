// Inputs that hold a shape: int64 tensors with one axis.
#pragma once

#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Sets `dims` to those that input number `input` of a call holds. Fails when it does not have exactly one axis, has more
// entries than a tensor can have axes, or a negative one. `name` is the input's name in the schema.
// False: before a run, not even their number is known. Where only their number is, all are unknown_size.
// ONNX: onnx/defs/shape_inference.cc, getShapeInput.
Result<bool> read_shape(const Call& call, std::size_t input, std::string_view name, Dims& dims);

}  // namespace broadloom
