// Dims of what is reduced along axes.
#pragma once

#include "ops/arguments.h"

namespace broadloom {

// The dims without the reduced axes, or with sizes of 1 in their places.
Dims reduced_dims(std::span<const Size> dims, const AxisSet& reduced, bool keeps);

// The rank of the result where not all axes are known, which are different ones. Nothing where that does not tell it.
std::optional<std::size_t> reduced_rank(std::size_t rank, const IntegerList& axes, bool keeps);

// The dims of the statistics of a normalisation over all axes from one on: sizes of 1 there.
Dims statistics_dims(std::span<const Size> dims, std::size_t axis);

}  // namespace broadloom
