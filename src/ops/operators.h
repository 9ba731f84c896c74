// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Named as ONNX names them.
namespace op {

extern const Operator abs;
extern const Operator add;
extern const Operator logical_and;
extern const Operator ceil;
extern const Operator concat;
extern const Operator constant;
extern const Operator constant_of_shape;
extern const Operator div;
extern const Operator equal;
extern const Operator expand;
extern const Operator flatten;
extern const Operator floor;
extern const Operator greater;
extern const Operator greater_or_equal;
extern const Operator identity;
extern const Operator less;
extern const Operator less_or_equal;
extern const Operator max;
extern const Operator mean;
extern const Operator min;
extern const Operator mod;
extern const Operator mul;
extern const Operator neg;
extern const Operator logical_not;
extern const Operator logical_or;
extern const Operator reduce_max;
extern const Operator reduce_min;
extern const Operator reduce_prod;
extern const Operator reduce_sum;
extern const Operator reshape;
extern const Operator shape;
extern const Operator size;
extern const Operator slice;
extern const Operator split;
extern const Operator sqrt;
extern const Operator squeeze;
extern const Operator sub;
extern const Operator sum;
extern const Operator transpose;
extern const Operator unsqueeze;
extern const Operator logical_xor;

}  // namespace op

// All operators of the default domain, in alphabetical order.
std::span<const Operator* const> all_operators();

// The operator of this name in the default domain, or nullptr.
const Operator* find_operator(std::string_view name);

}  // namespace broadloom
