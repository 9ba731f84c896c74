// Values that a file refers to by name outside of nodes. ONNX: onnx/onnx.proto, TrainingInfoProto, TensorAnnotation and
// metadata_props.
#pragma once

#include "graph/structure/model.h"
#include "onnx/wire.h"

namespace broadloom {

// Marks a value so that simplification keeps it, its name and its elements, while the list stays.
void keep_named(Model& model, Chain<NamedValue>& list, Value& value, std::string_view name);

// Reads a TrainingInfoProto: marks the values that it names with keep_named().
void read_training_info(WireReader& message, Model& model);

// Reads the metadata_props among the fields of a message, which have this number: marks the values whose names they give.
void read_named_properties(WireReader& message, std::uint32_t field, Model& model);

}  // namespace broadloom
