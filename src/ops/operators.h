// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Named as ONNX names them.
namespace op {

#define OPERATOR(id, name) extern const Operator id;
#include "ops/operators.inc"
#undef OPERATOR

}  // namespace op

// All operators of the default domain, in ASCII order of their names.
std::span<const Operator* const> all_operators();

// The operator of this name in the default domain, or nullptr.
const Operator* find_operator(std::string_view name);

}  // namespace broadloom
