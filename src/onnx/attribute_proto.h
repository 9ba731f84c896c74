// AttributeProto. ONNX: onnx/onnx.proto, and check_attribute in onnx/checker.cc.
#pragma once

#include "core/arena.h"
#include "onnx/tensor_proto.h"
#include "onnx/wire.h"
#include "ops/call/operator.h"

namespace broadloom {

// A field of AttributeProto that holds values of one type.
struct ValueField {
  std::uint32_t number;
  AttributeType type;
  bool repeated;
};

// The name and type of an AttributeProto, and its value's field.
struct AttributeHeader {
  std::string_view name;
  std::string_view reference;  // ref_attr_name: an attribute of the function call
  AttributeType type = AttributeType::UNDEFINED;
  const ValueField* value = nullptr;  // the field that holds the value, or nullptr
};
// Fails unless the attribute has a name, a known type and at most one value.
AttributeHeader read_attribute_header(WireReader& message);
// Reads the header without checks. If the type is missing or unknown, it is the type of the value's field.
AttributeHeader read_unchecked_header(WireReader& message);

// Reads the value of a node's attribute and adds it to `attributes`. Fails if the operator's version does not admit the
// header's name and type. An INT, FLOAT or STRING without a value stays without one, since proto3 writers omit zeros. A GRAPH
// is admitted and checked, but not read. With `external`, the elements of a TENSOR may have been left in the file.
void read_attribute_value(WireReader& message, const AttributeHeader& header, const Selection& selection,
                          Attributes& attributes, External* external = nullptr);

// Reads an attribute of an operator without a schema. Adds INT, FLOAT, STRING, INTS and FLOATS. With `reads_all` also STRINGS
// and TENSOR, and other types without their value. The specs of added attributes lie in the arena. The caller must read each
// name only once.
void read_unchecked_attribute(WireReader& message, const AttributeHeader& header, Arena& arena, Attributes& attributes,
                              bool reads_all);

// Writes an AttributeProto as field number `field`.
void write_attribute(WireWriter& to, std::uint32_t field, const Attribute& attribute);

}  // namespace broadloom
