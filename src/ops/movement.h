// Shared by operators that move elements: they handle items of 1, 2, 4, 8 or 16 bytes, for any type.
#pragma once

#include "ops/operator.h"

namespace broadloom {

// Computes a call whose outputs are allocated. For inputs that the operator only moves, it gets packed elements
// as bytes, and those of its outputs are packed again; strings of several inputs are in one text, which the outputs share.
Status compute_movement(const Operator& op, Call& call);

}  // namespace broadloom
