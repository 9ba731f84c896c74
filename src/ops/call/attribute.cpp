#include "ops/call/attribute.h"

#include <array>

#include "core/count.h"
#include "core/strings.h"

namespace broadloom {

std::string_view name_of(AttributeType type) {
  static constexpr std::array<std::string_view, 15> names{
      "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  return names[place_of(type)];
}

// Not inlined, because lists are copied seldom, in several places.
Attributes& Attributes::operator=(const Attributes& other) = default;

AttributeValue& Attributes::add(const AttributeSpec& spec) {
  Attribute& attribute = list_.emplace_back();
  attribute.spec = &spec;
  return attribute.value;
}

AttributeValue& Attributes::get(const AttributeSpec& spec) {
  for (Attribute& attribute : list_) {
    if (same_name(attribute.spec->name, spec.name)) return attribute.value;
  }
  return add(spec);
}

const Attribute* Attributes::find(std::string_view name) const {
  for (const Attribute& attribute : list_) {
    if (same_name(attribute.spec->name, name)) return &attribute;
  }
  return nullptr;
}

std::optional<std::int64_t> Attributes::find_int(std::string_view name) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return std::nullopt;
  return attribute->value.integer;
}

const Tensor* Attributes::find_tensor(std::string_view name) const {
  const Attribute* attribute = find(name);
  return attribute == nullptr ? nullptr : &attribute->value.tensor;
}

std::unique_ptr<SparseTensor> Attributes::take_sparse() {
  for (Attribute& attribute : list_) {
    if (attribute.spec->type != AttributeType::SPARSE_TENSOR) continue;
    return std::make_unique<SparseTensor>(std::move(attribute.value.sparse.front()));
  }
  return nullptr;
}

std::string_view text_of(const AttributeValue& value) {
  if (!value.is_present) return {};
  return string_at(value.tensor, *reinterpret_cast<const StringRef*>(value.tensor.data()));
}

}  // namespace broadloom
