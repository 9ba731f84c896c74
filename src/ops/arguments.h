// What operators read of a call: lists of integers and single ones, which newer versions take as inputs and older ones as
// attributes, and axes.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// A list of integers. Before a run, entries may be expressions or unknown_size.
struct IntegerList {
  bool is_given = false;
  bool has_length = false;  // false where not even the number of entries is known, or, in a run, no elements are there yet
  Dims values;

  std::size_t size() const { return values.size(); }
  Size operator[](std::size_t i) const { return values[i]; }
  bool are_numbers(const Call& call) const;
};

// Copies the elements of a tensor of int64 or int32 that has at most one axis.
void read_integers(const Tensor& tensor, std::int64_t* to);

// The integers of a tensor, as far as they are known; without a length where it has several axes or more than `most` entries.
IntegerList known_integers(const Tensor& tensor, std::size_t most);

// The list that the version declares under this name, as an input or as an attribute. An input has one axis, or none for a
// list of one. Fails for a list of more than `most` entries.
Result<IntegerList> read_list(const Call& call, std::string_view name, std::size_t most = most_axes);

// The same for a list of one entry: of an INT attribute, or of an input with one element.
Result<IntegerList> read_integer(const Call& call, std::string_view name);

// The position of a list of the version's among its inputs; the number of inputs when it is none of them.
std::size_t input_named(const OperatorVersion& version, std::string_view name);

// The axis that a number from -rank to rank - 1 stands for: negative ones count from the end. `name` is that of the attribute
// or input that says so.
Result<std::size_t> resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank);

// That of attribute 'axis'; nothing where it is left out.
Result<std::optional<std::size_t>> find_axis(const Call& call, std::size_t rank);

// What lies before, from `first` to `end`, and behind: how many elements the axes of each have.
Dims three_axes(std::span<const std::int64_t> dims, std::size_t first, std::size_t end);

using AxisSet = std::bitset<most_axes>;

// The axes that a list of numbers stands for. Fails when one is there twice.
Result<AxisSet> resolve_axes(std::string_view name, std::span<const std::int64_t> axes, std::size_t rank);

// A tensor of the input's elements in another layout, which counts from `offset` elements after the input's first. Where the
// input has no elements, that has none either.
Result<Tensor> view_of(const Tensor& input, LayoutRef layout, std::int64_t offset = 0);

// What is known of an output without elements.
inline Tensor known_dims(Dtype dtype, const Dims& dims) { return {dtype, uniform_layout(dims)}; }

}  // namespace broadloom
