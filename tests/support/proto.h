// Writes protobuf messages field by field, valid and invalid ones, and the messages of onnx.proto.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "ops/call/attribute.h"
#include "support/lists.h"

namespace broadloom::test {

class Proto {
 public:
  const std::string& bytes() const { return bytes_; }

  // Raw bytes.
  Proto& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  Proto& number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
    bytes_ += static_cast<char>(value);
    return *this;
  }
  Proto& tag(std::uint32_t field, std::uint32_t wire_type) { return number(field << 3U | wire_type); }

  Proto& varint(std::uint32_t field, std::int64_t value) { return tag(field, 0).number(static_cast<std::uint64_t>(value)); }
  template <class Bits>
  Proto& fixed(std::uint32_t field, Bits value) {
    return tag(field, sizeof(Bits) == 8 ? 1 : 5).raw(bytes_of_value(value));
  }
  Proto& string(std::uint32_t field, std::string_view value) { return tag(field, 2).number(value.size()).raw(value); }
  Proto& message(std::uint32_t field, const Proto& value) { return string(field, value.bytes_); }

  Proto& varints(std::uint32_t field, const List& values) {
    for (const std::int64_t value : values) varint(field, value);
    return *this;
  }
  Proto& packed_varints(std::uint32_t field, const List& values) {
    Proto list;
    for (const std::int64_t value : values) list.number(static_cast<std::uint64_t>(value));
    return message(field, list);
  }
  template <class Bits>
  Proto& packed_fixed(std::uint32_t field, const std::vector<Bits>& values) {
    Proto list;
    for (const Bits value : values) list.raw(bytes_of_value(value));
    return message(field, list);
  }

 private:
  template <class Value>
  static std::string bytes_of_value(Value value) {
    static_assert(sizeof(Value) == 4 || sizeof(Value) == 8);
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::string bytes_;
};

// ---- TensorProto ----

inline Proto tensor_header(Dtype dtype, const List& dims, std::string_view name = "") {
  Proto tensor;
  tensor.varints(1, dims).varint(2, static_cast<std::int64_t>(dtype));
  if (!name.empty()) tensor.string(8, name);
  return tensor;
}

inline Proto raw_tensor(Dtype dtype, const List& dims, std::string_view bytes, std::string_view name = "") {
  return tensor_header(dtype, dims, name).string(9, bytes);
}

inline Proto float_tensor(const List& dims, const std::vector<float>& values, std::string_view name = "") {
  return tensor_header(Dtype::float32, dims, name).packed_fixed(4, values);
}

inline Proto int64_tensor(const List& dims, const List& values, std::string_view name = "") {
  return tensor_header(Dtype::int64, dims, name).packed_varints(7, values);
}

// ---- AttributeProto ----

inline Proto attribute(std::string_view name, AttributeType type) {
  return Proto().string(1, name).varint(20, static_cast<std::int64_t>(type));
}
inline Proto int_of(std::string_view name, std::int64_t value) { return attribute(name, AttributeType::INT).varint(3, value); }
inline Proto ints_of(std::string_view name, const List& values) {
  return attribute(name, AttributeType::INTS).varints(8, values);
}
inline Proto tensor_of_attribute(std::string_view name, const Proto& tensor) {
  return attribute(name, AttributeType::TENSOR).message(5, tensor);
}

// ---- NodeProto, ValueInfoProto, GraphProto, ModelProto ----

using Names = std::vector<std::string>;

inline Proto node(std::string_view op_type, const Names& inputs, const Names& outputs,
                  const std::vector<Proto>& attributes = {}, std::string_view name = "", std::string_view domain = "") {
  Proto result;
  for (const std::string& input : inputs) result.string(1, input);
  for (const std::string& output : outputs) result.string(2, output);
  if (!name.empty()) result.string(3, name);
  if (!op_type.empty()) result.string(4, op_type);
  for (const Proto& one : attributes) result.message(5, one);
  if (!domain.empty()) result.string(7, domain);
  return result;
}

inline Proto cast(std::string_view from, std::string_view to, Dtype dtype) {
  return node("Cast", {std::string(from)}, {std::string(to)}, {int_of("to", static_cast<std::int64_t>(dtype))});
}

// A size in a declared shape: a number, a name, or "" if unknown.
struct Size {
  std::int64_t value = -1;
  std::string name;
  Size(int number) : value(number) {}
  Size(std::int64_t number) : value(number) {}
  Size(const char* its_name) : name(its_name) {}
};

inline Proto value_info(std::string_view name, Dtype dtype) {
  Proto tensor_type;
  if (dtype != Dtype::undefined) tensor_type.varint(1, static_cast<std::int64_t>(dtype));
  return Proto().string(1, name).message(2, Proto().message(1, tensor_type));
}
// A value without a declared type and dims.
inline Proto any(std::string_view name) { return value_info(name, Dtype::undefined); }
inline Proto value_info(std::string_view name, Dtype dtype, const std::vector<Size>& dims) {
  Proto shape;
  for (const Size& size : dims) {
    Proto dim;
    if (size.value >= 0) dim.varint(1, size.value);
    if (!size.name.empty()) dim.string(2, size.name);
    shape.message(1, dim);
  }
  Proto tensor_type;
  tensor_type.varint(1, static_cast<std::int64_t>(dtype)).message(2, shape);
  return Proto().string(1, name).message(2, Proto().message(1, tensor_type));
}

struct Graph {
  std::vector<Proto> nodes;
  std::vector<Proto> inputs;
  std::vector<Proto> outputs = {};
  std::vector<Proto> initializers = {};
  std::vector<Proto> sparse_initializers = {};
  std::vector<Proto> value_infos = {};

  Proto proto() const {
    Proto graph;
    for (const Proto& one : nodes) graph.message(1, one);
    graph.string(2, "graph");
    for (const Proto& one : initializers) graph.message(5, one);
    for (const Proto& one : inputs) graph.message(11, one);
    for (const Proto& one : outputs) graph.message(12, one);
    for (const Proto& one : value_infos) graph.message(13, one);
    for (const Proto& one : sparse_initializers) graph.message(15, one);
    return graph;
  }
};

// A GRAPH attribute.
inline Proto graph_of(std::string_view name, const Graph& graph) {
  return attribute(name, AttributeType::GRAPH).message(6, graph.proto());
}

inline Proto opset_import(std::int64_t version, std::string_view domain = "") {
  Proto import;
  if (!domain.empty()) import.string(1, domain);
  return import.varint(2, version);
}

inline std::string model(const Graph& graph, std::int64_t opset = 25, std::int64_t ir_version = 10) {
  return Proto().varint(1, ir_version).message(8, opset_import(opset)).message(7, graph.proto()).bytes();
}

}  // namespace broadloom::test
