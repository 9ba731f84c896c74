// AttributeProto. ONNX: onnx/onnx.proto, and check_attribute in onnx/checker.cc.
#pragma once

#include "model/wire.h"
#include "ops/operator.h"

namespace broadloom {

// Reads an AttributeProto of a node and adds it to `attributes`, if the operator's version admits it. An INT, FLOAT or
// STRING without a value stays without one: writers of protobuf 3 leave zeros out.
void read_attribute_proto(WireReader& message, const Selection& selection, Attributes& attributes);

}  // namespace broadloom
