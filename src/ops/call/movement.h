// Shared by operators that move elements: they handle items of 1, 2, 4, 8 or 16 bytes, for any type.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// Computes a call whose outputs are allocated. Inputs that the operator only moves are prepared: packed elements become bytes,
// and are packed again in the outputs. Strings of several inputs are put into one text, which the outputs share.
Status compute_movement(const Operator& op, Call& call);

}  // namespace broadloom
