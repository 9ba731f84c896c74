// Elements changed by others: added to, multiplied, lowered or raised.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"

namespace broadloom {

enum class Reduction : std::uint8_t { add, mul, max, min };

// Changes each of `count` elements at `to` by the one at `from`. Integers wrap, float16 and bfloat16 are computed in float32,
// sums of bools are "or" and products "and". A NaN at `from` leaves the lower or higher one as it is, and so does one at `to`.
// Not for strings, packed and 8-bit floating-point types, nor for max and min of complex numbers.
void combine(Reduction reduction, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count);

}  // namespace broadloom
