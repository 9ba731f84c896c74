// Values that a file refers to by name outside of nodes. ONNX: onnx/onnx.proto, TrainingInfoProto and TensorAnnotation.
#pragma once

#include "graph/model.h"
#include "onnx/wire.h"

namespace broadloom {

// Marks a value so that simplification keeps it and its name. If `annotation` is given, this holds while the annotation stays.
void keep_named(Model& model, Graph& graph, Value& value, const Annotation* annotation);

// Reads a TrainingInfoProto: marks the values that it names with keep_named().
void read_training_info(WireReader& message, Model& model);

}  // namespace broadloom
