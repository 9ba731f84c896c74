// ValueInfoProto: a declared name with its element type and shape. ONNX: onnx/onnx.proto.
#pragma once

#include <string_view>

#include "model/model.h"
#include "model/wire.h"

namespace broadloom {

// Reads a ValueInfoProto into `info`; returns its name as it stands in the file, which outlives `info`. Only tensors have
// a type that can be used here; another one is an error, which the message's source holds.
std::string_view read_value_info_proto(WireReader& message, ValueInfo& info);

}  // namespace broadloom
