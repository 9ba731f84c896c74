// Attributes of a node, in the form in which operators read them.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/memory.h"
#include "core/tensor.h"
#include "ops/sparse.h"

namespace broadloom {

// The value of each constant is its AttributeProto.AttributeType number.
enum class AttributeType : std::uint8_t {
  UNDEFINED = 0,
  FLOAT = 1,
  INT = 2,
  STRING = 3,
  TENSOR = 4,
  GRAPH = 5,
  FLOATS = 6,
  INTS = 7,
  STRINGS = 8,
  TENSORS = 9,
  GRAPHS = 10,
  SPARSE_TENSOR = 11,
  SPARSE_TENSORS = 12,
  TYPE_PROTO = 13,
  TYPE_PROTOS = 14,
};

std::string_view name_of(AttributeType type);

// Whether two short names are equal. Inlined, because a call costs more than the comparison.
inline bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// An attribute in the schema of an operator version.
struct AttributeSpec {
  std::string_view name;
  AttributeType type;
  bool required = false;
  bool is_data_type = false;                           // INT: the number of an element type (TensorProto.DataType)
  std::optional<float> default_number = std::nullopt;  // INT or FLOAT
  // STRING: the valid words, separated by spaces. The first is the default, unless the attribute is required. Empty: any text.
  std::string_view words = {};

  constexpr std::string_view first_word() const { return words.substr(0, words.find(' ')); }
};

// Attributes with more than a name and a type.
constexpr AttributeSpec required(std::string_view name, AttributeType type) {
  return {.name = name, .type = type, .required = true};
}
constexpr AttributeSpec with_default(std::string_view name, AttributeType type, float value) {
  return {.name = name, .type = type, .default_number = value};
}
constexpr AttributeSpec one_of(std::string_view name, std::string_view words) {
  return {.name = name, .type = AttributeType::STRING, .words = words};
}
// An element type for which 0 counts as omitted.
constexpr AttributeSpec data_type_or_zero(std::string_view name) {
  return {.name = name, .type = AttributeType::INT, .is_data_type = true, .default_number = 0};
}
constexpr AttributeSpec data_type(std::string_view name, bool is_required) {
  return {.name = name, .type = AttributeType::INT, .required = is_required, .is_data_type = true};
}

// The value of an attribute. Its type determines the member. STRING, FLOATS, INTS and STRINGS are also tensors: of
// dims [] for STRING, [n] for the lists. So a failed allocation of a large attribute is an error.
struct AttributeValue {
  bool is_present = false;         // an INT, FLOAT or STRING may lack a value: proto3 writers omit zeros
  std::int64_t integer = 0;        // INT
  float number = 0;                // FLOAT
  Tensor tensor;                   // all others
  std::list<SparseTensor> sparse;  // SPARSE_TENSOR: one; a list, because it is large and rare
};

// A STRING's text; empty if it has no value.
std::string_view text_of(const AttributeValue& value);

// An attribute that the operator's version declares.
struct Attribute {
  const AttributeSpec* spec = nullptr;
  AttributeValue value;
};

class Attributes {
 public:
  Attributes() = default;
  Attributes(const Attributes& other) = default;
  Attributes(Attributes&& other) = default;
  Attributes& operator=(const Attributes& other);
  Attributes& operator=(Attributes&& other) = default;
  ~Attributes() = default;

  // Adds an attribute. The caller sets the value.
  AttributeValue& add(const AttributeSpec& spec);
  // The value of the attribute of this name. Adds the attribute if there is none.
  AttributeValue& get(const AttributeSpec& spec);
  // The value that was added last.
  AttributeValue& last() { return list_.back().value; }
  const Attribute* find(std::string_view name) const;
  std::optional<std::int64_t> find_int(std::string_view name) const;  // an INT without a value is 0
  const Tensor* find_tensor(std::string_view name) const;

  void clear() { list_.clear(); }

  // Removes and returns the first SPARSE_TENSOR; nullptr if there is none.
  std::unique_ptr<SparseTensor> take_sparse();

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::list<Attribute, PoolAllocator<Attribute>> list_;
};

}  // namespace broadloom
