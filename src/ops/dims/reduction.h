// Dims of reductions along axes.
#pragma once

#include "ops/call/arguments.h"

namespace broadloom {

// The dims without the reduced axes, or with size 1 for them.
SymbolicDims reduced_dims(std::span<const Size> dims, const AxisSet& reduced, bool keeps);

// The rank of the result if not all axes are known. The axes are distinct. Returns nullopt if the rank is unknown.
std::optional<std::size_t> reduced_rank(std::size_t rank, const IntegerList& axes, bool keeps);

// The dims of the statistics of a normalisation over all axes from `axis` on: size 1 for these.
SymbolicDims statistics_dims(std::span<const Size> dims, std::size_t axis);

}  // namespace broadloom
