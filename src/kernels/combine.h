// Elements changed by others.
#pragma once

#include "kernels/loops.h"

namespace broadloom {

// Changes each of `count` elements at `to` by the one at `from`: adds to it, multiplies it, or takes the minimum or maximum of
// both. As loops.h says; sums of bools are "or" and products "and". Not for strings, packed and 8-bit floating-point types, nor
// for minima and maxima of complex numbers.
void combine(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count);

}  // namespace broadloom
