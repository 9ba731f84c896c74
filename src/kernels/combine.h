// Combines elements in place.
#pragma once

#include "kernels/loops.h"

namespace broadloom {

// Combines each of `count` elements at `to` with the one at `from`: their sum, product, minimum or maximum,
// as in loops.h. Sums of bools are "or" and products "and". Not for strings, packed and 8-bit floating-point types, nor
// for minima and maxima of complex numbers.
void combine(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count);

}  // namespace broadloom
