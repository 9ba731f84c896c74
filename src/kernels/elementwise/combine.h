// Combines elements in place.
#pragma once

#include <span>

#include "kernels/elementwise/loops.h"

namespace broadloom {

// Combines each of `count` elements at `to` with the one at `from`: their sum, product, minimum or maximum,
// as in loops.h. Sums of bools are "or" and products "and". Not for strings, packed and 8-bit floating-point types, nor
// for minima and maxima of complex numbers.
void combine(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count);

// Combines blocks of `count` elements, one block after the other: the block at offsets[i] from `to` with the i-th block at
// `from`.
void combine_blocks(Operation operation, Dtype dtype, std::byte* to, std::span<const std::ptrdiff_t> offsets,
                    const std::byte* from, std::size_t count);

}  // namespace broadloom
