// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

extern const Operator constant;
extern const Operator constant_of_shape;
extern const Operator expand;
extern const Operator identity;
extern const Operator shape;

// All operators of the default domain, in alphabetical order.
std::span<const Operator* const> all_operators();

// The operator of this name in the default domain, or nullptr.
const Operator* find_operator(std::string_view name);

}  // namespace broadloom
