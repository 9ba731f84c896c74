// ValueInfoProto: a declared name with its element type and shape. ONNX: onnx/onnx.proto.
#pragma once

#include <string_view>

#include "graph/structure/graph.h"
#include "onnx/wire.h"

namespace broadloom {

// Reads a ValueInfoProto into `info`. Dims lie in `arena`; names are parts of the source. If `only_tensors`, another type than
// a tensor's is an error, which the message's source holds. Otherwise such a value only gets its kind.
void read_value_info_proto(WireReader& message, ValueInfo& info, Arena& arena, bool only_tensors);

}  // namespace broadloom
