// What normalisations share: elements less their group's mean, by its standard deviation or another norm; then, often, scaled
// and shifted.
//
// All is computed in float32, or in float64 where the result is that, and rounded once. The texts round float16 before it is
// scaled, too, and may ask for float32 where elements are float64 (`stash_type`): here that only says of which type statistics
// are that are outputs.
#pragma once

#include "ops/parts.h"
#include "ops/type_sets.h"

namespace broadloom {

// A parameter of elements: one value stands for many of them.
struct Affine {
  Tensor tensor;          // without elements where there is none
  Layout layout;          // of a unit of the parts' first axis, behind an axis of size 1
  std::int64_t step = 0;  // from a unit's parameters to the next one's

  Program::Value value(Program& program, const Parts& parts, Dtype dtype) const;
};

struct Normalization {
  bool has_mean;      // it is subtracted before all else
  bool is_root_last;  // epsilon is added to the root, not below it
  double epsilon;
  Affine scale = {};
  Affine bias = {};
};

// Writes to the call's first output the elements of its first input, less the mean of their group, by the root of the mean of
// their squares, scaled and shifted. Further outputs are the mean and what elements were multiplied by, of each group.
Status normalize(Call& call, const Dims& dims, const AxisSet& reduced, const Normalization& how);

// The dims of the first output are those of the first input.
Status prepare_like_input(Call& call);

// Whether an input has one axis, of that length.
Status check_length(const Call& call, std::size_t input, Size length);

// What all normalisations have in their rows.
inline constexpr TypeSet normalized_types = types::floats | types::added_13;
inline constexpr AttributeSpec epsilon_attribute = with_default("epsilon", AttributeType::FLOAT, 1e-5F);

}  // namespace broadloom
