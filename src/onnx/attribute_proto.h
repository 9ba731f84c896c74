// AttributeProto. ONNX: onnx/onnx.proto, and check_attribute in onnx/checker.cc.
#pragma once

#include "core/arena.h"
#include "onnx/tensor_proto.h"
#include "onnx/wire.h"
#include "ops/operator.h"

namespace broadloom {

// The field of an AttributeProto that holds values of a type.
struct ValueField {
  std::uint32_t number;
  AttributeType type;
  bool repeated;
};

// What an AttributeProto says of itself.
struct AttributeHeader {
  std::string_view name;
  std::string_view reference;  // ref_attr_name: an attribute of the call of the function that this one stands in
  AttributeType type = AttributeType::UNDEFINED;
  const ValueField* value = nullptr;  // the field that is used
};
AttributeHeader read_attribute_header(WireReader& message);
// The same of an attribute that nobody checks: the type is that of its value, where none is named.
AttributeHeader read_unchecked_header(WireReader& message);

// Reads the value of an AttributeProto of a node and adds it to `attributes`, if the operator's version admits it by the
// header's name. An INT, FLOAT or STRING without a value stays without one: writers of protobuf 3 leave zeros out. A GRAPH is
// admitted and checked, but not read. With `external`, the elements of a TENSOR may have been left in the file.
void read_attribute_value(WireReader& message, const AttributeHeader& header, const Selection& selection,
                          Attributes& attributes, External* external = nullptr);

// The same for an operator without a schema: integers, numbers, texts and lists of numbers are added, all else is
// left out. Specs of what is added lie in the arena. It is the caller's to read each name once.
void read_unchecked_attribute(WireReader& message, const AttributeHeader& header, Arena& arena, Attributes& attributes);

// Writes an AttributeProto in `field`.
void write_attribute(WireWriter& to, std::uint32_t field, const Attribute& attribute);

}  // namespace broadloom
