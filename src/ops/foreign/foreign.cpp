#include "ops/foreign/foreign.h"

#include <algorithm>

#include "core/strings.h"
#include "core/text.h"

namespace broadloom::foreign {

const SymbolicDims* dims_of(const Call& call, std::size_t i) {
  const Tensor* input = call.input(i);
  const bool is_known = input != nullptr && input->is_ranked() && input->dims().size() <= most_ruled_axes;
  return is_known ? &input->dims() : nullptr;
}

Size size_of(const Call& call, std::size_t i, int axis) {
  const SymbolicDims* dims = dims_of(call, i);
  if (dims == nullptr) return unknown_size;
  const std::optional<std::size_t> position = axis_at(axis, dims->size());
  return position ? (*dims)[*position] : unknown_size;
}

const Attribute* attribute_of(const Attributes& attributes, std::string_view name, AttributeType type) {
  const Attribute* attribute = attributes.find(name);
  return attribute != nullptr && attribute->spec->type == type ? attribute : nullptr;
}

Size integer(const Call& call, std::string_view name, Size otherwise) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::INT);
  return attribute == nullptr ? otherwise : number_or_unknown(attribute->value.integer);
}

std::string_view text(const Call& call, std::string_view name) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::STRING);
  if (attribute == nullptr || !attribute->value.is_present) return {};
  const Tensor& tensor = attribute->value.tensor;
  return string_at(tensor, *reinterpret_cast<const StringRef*>(tensor.data()));
}

IntegerList input_list(const Call& call, std::size_t i) {
  return is_given(call, i) ? known_integers(*call.inputs[i], most_entries, Origin::value) : IntegerList{};
}

IntegerList list(const Call& call, std::string_view name) {
  const Attribute* attribute = attribute_of(call.attributes, name, AttributeType::INTS);
  return attribute == nullptr ? IntegerList{} : known_integers(attribute->value.tensor, most_entries, Origin::file);
}

SymbolicDims list_of(const Call& call, std::string_view name, std::size_t count, Size otherwise) {
  const IntegerList entries = list(call, name);
  if (!entries.is_given) return SymbolicDims(count, otherwise);
  return entries.size() == count ? entries.values : SymbolicDims(count, unknown_size);
}

Size element(const Call& call, std::size_t i) {
  const IntegerList entries = input_list(call, i);
  return entries.size() == 1 ? entries[0] : unknown_size;
}

Status want_rank(const Call& call, std::size_t i, std::size_t rank) {
  const Tensor* input = call.input(i);
  if (input == nullptr || !input->is_ranked() || input->dims().size() == rank) return {};
  return impossible("input {} has dims {}, wanted {} ax{i}s", i, input->dims().values(), rank);
}

void set(Call& call, std::size_t i, std::span<const Size> sizes) {
  if (i >= std::min(call.outputs.size(), most_listed_outputs) || sizes.size() > most_axes) return;
  SymbolicDims dims(sizes);
  for (Size& size : dims) {
    if (size.is_negative()) size = unknown_size;
  }
  call.outputs[i].layout = uniform_layout(dims);
}

void set(Call& call, std::size_t i, std::initializer_list<Size> sizes) { set(call, i, std::span(sizes.begin(), sizes.size())); }

void set_rank(Call& call, std::size_t i, std::size_t rank) { set(call, i, SymbolicDims(rank, unknown_size)); }

SymbolicDims with_last(std::span<const Size> dims, Size size) {
  SymbolicDims result(dims);
  if (!result.empty()) result[result.size() - 1] = size;
  return result;
}

void like_input(Call& call, std::size_t input) { set_like(call, 0, input); }

void scalars(Call& call) {
  for (std::size_t i = 0; i < call.outputs.size(); ++i) set(call, i, {});
}

void only_rank(Call& call, std::size_t rank) { set_rank(call, 0, rank); }

void broadcast_inputs(Call& call, std::span<const std::size_t> numbers) {
  SymbolicDims dims;
  for (const std::size_t i : numbers) {
    const SymbolicDims* own = dims_of(call, i);
    if (own == nullptr) return;
    Result<SymbolicDims> both = broadcast_dims(dims.values(), own->values());
    if (!both) return;
    dims = std::move(*both);
  }
  set(call, 0, dims);
}

}  // namespace broadloom::foreign
