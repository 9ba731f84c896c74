// What operators that move elements have in common: they see items of 1, 2, 4, 8 or 16 bytes, whatever the type.
#pragma once

#include "ops/operator.h"

namespace broadloom {

// Computes a call whose outputs have their storage. Of the inputs that the operator only moves, packed elements are given to it
// as bytes, and those of its outputs are packed again; strings of several inputs come from one text, which the outputs get.
Status compute_movement(const Operator& op, Call& call);

}  // namespace broadloom
