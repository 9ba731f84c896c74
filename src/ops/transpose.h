// The order of axes that Transpose brings its input to.
#pragma once

#include <optional>

#include "ops/operator.h"

namespace broadloom {

// For each axis of the output, the axis of the input, which has `rank`: 'perm', or the axes from the last to the first. Fails
// for a 'perm' that is none of theirs.
Result<Dims> read_order(const Call& call, std::size_t rank);

// That of a node; nothing for a 'perm' that is none of theirs.
std::optional<Dims> find_order(const OperatorVersion& version, const Attributes& attributes, std::size_t rank);

}  // namespace broadloom
