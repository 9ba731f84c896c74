// ValueInfoProto: a declared name with its element type and shape. ONNX: onnx/onnx.proto.
#pragma once

#include <string_view>

#include "graph/graph.h"
#include "onnx/wire.h"

namespace broadloom {

// Reads a ValueInfoProto into `info`, whose dims are added in `arena`; names stay where they are in the file. Only tensors
// have a type that can be used here; another one is an error, which the message's source holds, unless `only_tensors` is
// false: then it has a kind alone.
void read_value_info_proto(WireReader& message, ValueInfo& info, Arena& arena, bool only_tensors);

}  // namespace broadloom
