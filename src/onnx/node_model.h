// One call of an operator as files, in the layout of ONNX's own backend tests (onnx/backend/test/data/node).
#pragma once

#include <vector>

#include "ops/operator.h"

namespace broadloom {

// The files of a call that has been run, each a dense uint8 tensor of one axis: a ModelProto of one node, whose inputs and
// outputs have the names that the schema gives them; then a TensorProto for each input that is not left out, and for
// each output.
Result<std::vector<Tensor>> write_node_model(const Selection& selection, const Call& call);

}  // namespace broadloom
