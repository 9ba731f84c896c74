// Checks of inputs. Each accepts an input that is omitted or unknown.
#pragma once

#include <initializer_list>

#include "ops/call/operator.h"

namespace broadloom {

// Fails where an input is given that no kernel here reads.
Status refuse_input(const Call& call, std::size_t input);

// Fails unless an input has `rank` axes.
Status want_rank(const Call& call, std::size_t input, std::size_t rank);

// Fails unless an input has these dims. If it broadcasts, each of them but the last may be 1 instead.
Status want_dims(const Call& call, std::size_t input, std::initializer_list<Size> wanted, bool broadcasts = false);

}  // namespace broadloom
