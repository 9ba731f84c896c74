// Inputs that hold a shape: int64 tensors with one axis.
#pragma once

#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Whether it is known how many dims input number `input` of a call holds. In a run it is, unless the elements are still to
// come: then the call comes again.
[[gnu::always_inline]] inline bool has_known_length(const Call& call, std::size_t input) {
  const Tensor& shape = *call.inputs[input];
  if (call.is_run()) return shape.has_elements();
  return shape.is_ranked() && (shape.dims().size() != 1 || is_number(shape.dims()[0]));
}

// The dims that the input holds, whose length is known. Fails when it does not have exactly one axis, has more entries than a
// tensor can have axes, or a negative one. `name` is the input's name in the schema. Before a run, those that are not known are
// unknown_size.
// ONNX: onnx/defs/shape_inference.cc, getShapeInput.
Result<Dims> read_shape(const Call& call, std::size_t input, std::string_view name);

}  // namespace broadloom
