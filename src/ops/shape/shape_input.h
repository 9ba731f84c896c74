// Inputs that are shapes: int64 tensors with one axis.
#pragma once

#include <string_view>

#include "ops/call/operator.h"

namespace broadloom {

// Whether the number of dims in input number `input` of a call is known. In a run it is, unless the elements are still
// missing: then the call is repeated.
[[gnu::always_inline]] inline bool has_known_length(const Call& call, std::size_t input) {
  const Tensor& shape = *call.inputs[input];
  if (call.is_run()) return shape.has_elements();
  return shape.is_ranked() && (shape.dims().size() != 1 || shape.dims()[0].is_number());
}

// Reads the dims in an input of known length. Fails if it does not have exactly one axis, or has more entries than a
// tensor can have axes, or a negative entry. `name` is the input's name in the schema. Before a run, unknown entries are
// unknown_size.
// ONNX: onnx/defs/shape_inference.cc, getShapeInput.
Result<SymbolicDims> read_shape(const Call& call, std::size_t input, std::string_view name);

}  // namespace broadloom
