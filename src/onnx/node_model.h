// One call of an operator as files, in the layout of ONNX's own backend tests (onnx/backend/test/data/node).
#pragma once

#include <vector>

#include "ops/call/operator.h"

namespace broadloom {

// Writes the files of a completed call, each as a dense uint8 tensor of one axis: a ModelProto of one node, whose inputs and
// outputs have the schema's names; then a TensorProto for each present input and for each output.
Result<std::vector<Tensor>> write_node_model(const Selection& selection, const Call& call);

}  // namespace broadloom
