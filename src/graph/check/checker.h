// Checks a model before it runs: arity, element types, constants. For dims, see shape_inference.h.
#pragma once

#include "graph/structure/model.h"

namespace broadloom {

// Whether a model with unsupported parts is refused.
enum class Unsupported : std::uint8_t { refused, allowed };

// Fails if a value is declared with another element type than its own. An unknown type contradicts nothing.
Status check_declared(const ValueInfo& declared, Dtype dtype);

// If unsupported nodes are allowed and the error only makes the node unsupported, the model stores the error for the node,
// and the result is ok. Returns other errors.
Status unless_allowed(Status status, Unsupported unsupported, Model& model, Node& node);

// Checks the calls of all nodes of the model's graphs, which must be sorted, and sets the types of their values. Runs
// the nodes without inputs: their outputs become initializers. With Unsupported::allowed, an unsupported node gets the
// reason, and the model is not refused.
Status check_model(Model& model, Unsupported unsupported);

}  // namespace broadloom
