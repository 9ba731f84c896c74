// Names by which a file refers to values, beside nodes. ONNX: onnx/onnx.proto, TrainingInfoProto and TensorAnnotation.
#pragma once

#include "graph/model.h"
#include "onnx/wire.h"

namespace broadloom {

// The value keeps its name, and stays: with the annotation, where one is given.
void keep_named(Model& model, Graph& graph, Value& value, const Annotation* annotation);

// Reads a TrainingInfoProto: the values that it names stay, and keep their names.
void read_training_info(WireReader& message, Model& model);

}  // namespace broadloom
