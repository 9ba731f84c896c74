// Outputs with the dims of an input.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// Gives an output the dims of an input, if the call has both and the rank is known.
void set_like(Call& call, std::size_t output, std::size_t input);

// Gives the first output the dims of the first input.
Status prepare_like_input(Call& call);

}  // namespace broadloom
