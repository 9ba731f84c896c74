// Arguments of calls: lists of integers and single ones, which are inputs in newer versions and attributes in older
// ones, and axes.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

#include "ops/call/operator.h"

namespace broadloom {

// A list of integers. Before a run, entries may be symbolic.
struct IntegerList {
  bool is_given = false;
  bool has_length = false;  // false if the number of entries is unknown, or, in a run, if the elements are still missing
  SymbolicDims values;

  std::size_t size() const { return values.size(); }
  Size operator[](std::size_t i) const { return values[i]; }
  bool are_numbers() const { return has_length && broadloom::are_numbers(values); }
  // Where all are.
  std::span<const std::int64_t> numbers() const { return numbers_of(values); }
};

// Where a tensor of integers comes from. It tells which sizes the integers are.
enum class Origin : std::uint8_t {
  run,    // numbers
  value,  // of a node, before a run: numbers and expressions
  file,   // of an attribute, before a run: numbers
};

// The known integers of a tensor; without a length if it has several axes or more than `most` entries.
IntegerList known_integers(const Tensor& tensor, std::size_t most, Origin origin);

// The list of this name, which the version declares as an input or an attribute. An input has one axis, or none for a
// list of one. Fails for a list of more than `most` entries.
Result<IntegerList> read_list(const Call& call, std::string_view name, std::size_t most = most_axes);

// The integer of this name, as a list of one: an INT attribute, or an input with one element.
Result<IntegerList> read_integer(const Call& call, std::string_view name);

// The index of the version's input of this name; the number of inputs if there is none.
std::size_t input_named(const OperatorVersion& version, std::string_view name);

// The axis for a number from -rank to rank - 1; negative ones count from the end. `name` is the attribute's or input's, for
// errors.
Result<std::size_t> resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank);

// The axis of attribute 'axis'; nullopt if it is omitted.
Result<std::optional<std::size_t>> find_axis(const Call& call, std::size_t rank);

// The dims merged to three axes: those before `first`, from `first` to `end`, and the others.
Dims three_axes(std::span<const std::int64_t> dims, std::size_t first, std::size_t end);

// Fails unless an input, if it is given, has one axis of that length.
Status check_length(const Call& call, std::size_t input, Size length);

using AxisSet = std::bitset<most_axes>;

// The axes for a list of numbers. Fails if an axis occurs twice.
Result<AxisSet> resolve_axes(std::string_view name, std::span<const std::int64_t> axes, std::size_t rank);

// A view of the input with another layout, which starts `offset` elements after the input's first. If the
// input has no elements, the view has none either.
Result<Tensor> view_of(const Tensor& input, LayoutRef layout, std::int64_t offset = 0);

// An image [N, C, ...] with known dims and without elements. Its channels will lie side by side.
inline Tensor known_image(Dtype dtype, const SymbolicDims& dims) {
  return {dtype, are_numbers(dims) ? channels_last_layout(dims) : uniform_layout(dims)};
}

}  // namespace broadloom
