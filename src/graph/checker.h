// What can be known of a model before it runs, but for dims (infer.h): arity, element types, constants.
#pragma once

#include "graph/model.h"

namespace broadloom {

// What a model that holds things which Broadloom cannot run is.
enum class Unsupported : std::uint8_t { refused, allowed };

// Fails when a value is declared with another element type than it has; one that is not known contradicts nothing.
Status check_declared(const ValueInfo& declared, Dtype dtype);

// After an error that only makes the node unsupported, where that is allowed, the model keeps the error for the node, which
// does not run then. Other errors are given back.
Status unless_allowed(Status status, Unsupported unsupported, Model& model, Node& node);

// Checks the calls of all nodes of the model's graphs, which are read and in order, and sets the types of their values. Runs
// the nodes without inputs: what they make joins the initializers. With Unsupported::allowed, a node that cannot run keeps the
// reason, and does not refuse the model.
Status check_model(Model& model, Unsupported unsupported);

}  // namespace broadloom
