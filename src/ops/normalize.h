// What normalisations share: elements less a mean, by a standard deviation or another norm; then, often, scaled and shifted.
//
// All is computed in float32, or in float64 where the result is that, and rounded once. The texts round float16 before it is
// scaled, too, and may ask for float32 where elements are float64 (`stash_type`): here that only says of which type statistics
// are that are outputs.
#pragma once

#include "ops/row_tiles.h"
#include "ops/shapes/like.h"
#include "ops/type_sets.h"

namespace broadloom {

// A parameter of elements: in each unit of the tiles' first axis, each of `length` values is that of `each` elements.
struct Parameters {
  Tensor tensor;  // dense; without elements where there is no parameter
  std::int64_t length = 0;
  std::int64_t each = 1;
  std::int64_t step = 0;  // from a unit's values to the next one's
};

struct Normalization {
  ~Normalization();

  // Of statistics: whether there are any, the mean is subtracted, and how the norm of the rest comes about: what a group comes
  // to, its root, and what is added to one of the two, so that there is no division by 0.
  bool has_norm = true;
  bool has_mean = true;
  bool has_root = true;
  bool is_root_first = false;
  Reduction norm = {Operation::add, Reduction::Before::square, Reduction::After::mean};
  double epsilon = 0;

  Parameters shift = {};  // is subtracted
  Parameters scale = {};
  Parameters bias = {};
};

// Takes a tensor's elements as parameters.
Status take(Parameters& to, const Tensor& tensor, std::int64_t length, std::int64_t each, std::int64_t step = 0);

// Writes to the call's first output what becomes of the elements of its first input. Further outputs are the mean of each
// group, and what its elements were multiplied by.
Status normalize(Call& call, const Dims& dims, const AxisSet& reduced, const Normalization& how);

// Whether an input has one axis, of that length.
Status check_length(const Call& call, std::size_t input, Size length);

// What all normalisations have in their rows.
inline constexpr TypeSet normalized_types = types::floats | types::added_13;
inline constexpr AttributeSpec epsilon_attribute = with_default("epsilon", AttributeType::FLOAT, 1e-5F);

}  // namespace broadloom
