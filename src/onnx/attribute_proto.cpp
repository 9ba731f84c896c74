#include "onnx/attribute_proto.h"

#include <array>

#include "core/strings.h"
#include "core/text.h"
#include "onnx/tensor_proto.h"

namespace broadloom {
namespace {

// Field numbers of AttributeProto.
constexpr std::uint32_t f_attribute_name = 1, f_f = 2, f_i = 3, f_s = 4, f_t = 5, f_floats = 7, f_ints = 8, f_strings = 9,
                        f_type = 20, f_ref_attr_name = 21, f_sparse_tensor = 22;

constexpr std::array<ValueField, 14> value_fields{{{f_f, AttributeType::FLOAT, false},
                                                   {f_i, AttributeType::INT, false},
                                                   {f_s, AttributeType::STRING, false},
                                                   {f_t, AttributeType::TENSOR, false},
                                                   {6, AttributeType::GRAPH, false},
                                                   {f_floats, AttributeType::FLOATS, true},
                                                   {f_ints, AttributeType::INTS, true},
                                                   {f_strings, AttributeType::STRINGS, true},
                                                   {10, AttributeType::TENSORS, true},
                                                   {11, AttributeType::GRAPHS, true},
                                                   {14, AttributeType::TYPE_PROTO, false},
                                                   {15, AttributeType::TYPE_PROTOS, true},
                                                   {f_sparse_tensor, AttributeType::SPARSE_TENSOR, false},
                                                   {23, AttributeType::SPARSE_TENSORS, true}}};

const ValueField* value_field(std::uint32_t number) {
  for (const ValueField& field : value_fields) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

}  // namespace

namespace {

// If `is_checked`, fails unless the attribute has a name, a known type and at most one value.
AttributeHeader read_header(WireReader& message, bool is_checked) {
  AttributeHeader header;
  std::int64_t type = 0;
  for (message.rewind(); message.next();) {
    const std::uint32_t field = message.field();
    if (field == f_attribute_name) {
      header.name = message.name();
    } else if (field == f_type) {
      type = message.integer();
    } else if (field == f_ref_attr_name) {
      header.reference = message.name();
    } else if (const ValueField* value = value_field(field)) {
      if (is_checked && header.value != nullptr && value != header.value) {
        message.fail("attribute {} has more than one value", quoted(header.name));
      }
      header.value = value;
    }
  }
  constexpr auto last_type = static_cast<std::int64_t>(AttributeType::TYPE_PROTOS);
  if (is_checked && header.name.empty()) message.fail("an attribute without a name");
  if (type >= 1 && type <= last_type) {
    header.type = static_cast<AttributeType>(type);
  } else if (is_checked) {
    message.fail("attribute {} has type {}, which is not a type", quoted(header.name), type);
  } else if (header.value != nullptr) {
    header.type = header.value->type;
  }
  return header;
}

}  // namespace

AttributeHeader read_attribute_header(WireReader& message) { return read_header(message, true); }
AttributeHeader read_unchecked_header(WireReader& message) { return read_header(message, false); }

namespace {

// The bytes of the last `field` of the message.
std::string_view last_bytes(WireReader& message, std::uint32_t field) {
  std::string_view bytes;
  for (message.rewind(); message.next();) {
    if (message.field() == field) bytes = message.bytes();
  }
  return bytes;
}

Tensor read_string(WireReader& message, std::uint32_t field) {
  const std::string_view string = last_bytes(message, field);
  Result<StringWriter> writer = StringWriter::make({}, static_cast<std::int64_t>(string.size()));
  const Status added = writer ? writer->add(string) : Status(Failure(writer.error()));
  if (!added) message.fail(added.error());
  return message.ok() ? writer->finish() : Tensor();
}

// Reads the value from `field`, which is nullptr if no field holds one. An empty list has no field either.
void read_value(WireReader& message, const ValueField* field, AttributeType type, AttributeValue& value,
                External* external = nullptr) {
  value.is_present = true;
  if (type == AttributeType::FLOATS) {
    value.tensor = read_floats(message, f_floats);
  } else if (type == AttributeType::INTS) {
    value.tensor = read_integers(message, f_ints);
  } else if (type == AttributeType::STRINGS) {
    value.tensor = read_strings(message, f_strings);
  } else if (field == nullptr) {
    value.is_present = false;
    if (type == AttributeType::TENSOR || type == AttributeType::SPARSE_TENSOR) message.fail("no tensor");
    if (type == AttributeType::GRAPH) message.fail("no graph");
  } else if (type == AttributeType::STRING) {
    value.tensor = read_string(message, f_s);
  } else {
    for (message.rewind(); message.next();) {
      if (message.field() != field->number) continue;
      if (type == AttributeType::FLOAT) {
        value.number = message.float32();
      } else if (type == AttributeType::INT) {
        value.integer = message.integer();
      } else if (type == AttributeType::TENSOR) {
        WireReader tensor(message, "t");
        value.tensor = read_tensor_proto(tensor, nullptr, external);
        return;
      } else if (type == AttributeType::SPARSE_TENSOR) {
        WireReader tensor(message, "sparse_tensor");
        value.sparse.push_back(read_sparse_tensor_proto(tensor));
        return;
      } else {
        return;
      }
    }
  }
}

}  // namespace

void read_attribute_value(WireReader& message, const AttributeHeader& header, const Selection& selection,
                          Attributes& attributes, External* external) {
  if (!message.ok()) return;
  const AttributeSpec* spec = find_spec(selection.version, header.name);
  const Status admitted = admit_attribute(selection, attributes, spec, header.name, header.type);
  if (!admitted) return message.fail(in_operator(admitted.error(), selection));
  if (spec == nullptr) return;
  if (header.value != nullptr && header.value->type != header.type) {
    message.fail("attribute {} is declared as {} but holds {}", quoted(header.name), name_of(header.type),
                 name_of(header.value->type));
  }
  if (!message.ok()) return;
  read_value(message, header.value, header.type, attributes.add(*spec), external);
}

namespace {

// Whether all strings of `field` are UTF-8.
bool are_utf8(WireReader& message, std::uint32_t field) {
  bool are = true;
  for (message.rewind(); message.next();) {
    if (message.field() == field) are = are && is_utf8(message.bytes());
  }
  return are;
}

}  // namespace

void read_unchecked_attribute(WireReader& message, const AttributeHeader& header, Arena& arena, Attributes& attributes,
                              bool reads_all) {
  using enum AttributeType;
  const AttributeType type = header.type;
  const bool is_plain = type == INT || type == FLOAT || type == STRING || type == INTS || type == FLOATS;
  if (type == UNDEFINED || (!is_plain && !reads_all)) return;
  if (header.value != nullptr && header.value->type != type) return;
  if (type == STRING && !is_utf8(last_bytes(message, f_s))) return;
  if (type == STRINGS && !are_utf8(message, f_strings)) return;
  if (type == TENSOR && header.value == nullptr) return;
  if (!message.ok() || header.name.empty()) return;
  AttributeSpec& spec = *arena.make_list<AttributeSpec>(1).data();
  spec.name = arena.copy(header.name);
  spec.type = type;
  AttributeValue& value = attributes.add(spec);
  External external;
  if (is_plain || type == STRINGS || type == TENSOR) read_value(message, header.value, type, value, &external);
}

namespace {

void write_tensor(WireWriter& to, std::uint32_t field, const Tensor& tensor) {
  const std::int64_t end = to.size();
  write_tensor_proto(to, tensor, {});
  to.message(field, end);
}

void write_sparse_tensor(WireWriter& to, std::uint32_t field, const SparseTensor& sparse) {
  const std::int64_t end = to.size();
  write_numbers(to, 3, sparse.dims);
  if (sparse.indices.dtype != Dtype::undefined) write_tensor(to, 2, sparse.indices);
  write_tensor(to, 1, sparse.values);
  to.message(field, end);
}

// Writes the elements of a dense tensor as a repeated field.
void write_list(WireWriter& to, std::uint32_t field, const Tensor& list) {
  if (!list.has_elements()) return;  // a STRING without a value
  for (std::int64_t i = list.count(); i-- > 0;) {
    if (list.dtype == Dtype::int64) {
      to.number(field, reinterpret_cast<const std::int64_t*>(list.data())[i]);
    } else if (list.dtype == Dtype::float32) {
      to.float32(field, reinterpret_cast<const float*>(list.data())[i]);
    } else {
      to.name(field, {string_at(list, reinterpret_cast<const StringRef*>(list.data())[i])});
    }
  }
}

}  // namespace

void write_attribute(WireWriter& to, std::uint32_t field, const Attribute& attribute) {
  const std::int64_t end = to.size();
  const AttributeValue& value = attribute.value;
  to.number(20, static_cast<std::int64_t>(attribute.spec->type));
  // Field numbers follow the types. SPARSE_TENSOR was added later and is the exception.
  const std::uint32_t value_number = static_cast<std::uint32_t>(attribute.spec->type) + 1;
  switch (attribute.spec->type) {
    case AttributeType::FLOAT: to.float32(value_number, value.number); break;
    case AttributeType::INT: to.number(value_number, value.integer); break;
    case AttributeType::TENSOR: write_tensor(to, value_number, value.tensor); break;
    case AttributeType::SPARSE_TENSOR: write_sparse_tensor(to, 22, value.sparse.front()); break;
    default: write_list(to, value_number, value.tensor);
  }
  to.name(1, {attribute.spec->name});
  to.message(field, end);
}

}  // namespace broadloom
