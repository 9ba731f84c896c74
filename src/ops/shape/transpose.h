// The permutation of a Transpose.
#pragma once

#include <optional>

#include "ops/call/operator.h"

namespace broadloom {

// For each axis of the output, the axis of the input of `rank`: 'perm', or by default the reversed axes. Fails
// if 'perm' is not a permutation of the axes.
Result<Dims> read_order(const Call& call, std::size_t rank);

// The order that read_order gives, for a node. Returns nullopt if 'perm' is not a permutation.
std::optional<Dims> find_order(const OperatorVersion& version, const Attributes& attributes, std::size_t rank);

// The layout of a tensor of these dims whose Transpose has its elements in order.
LayoutRef layout_before_transpose(const SymbolicDims& dims, std::span<const std::int64_t> order);

}  // namespace broadloom
