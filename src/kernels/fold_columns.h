// Sums of elements at even distances.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace broadloom {

// Adds `count` contiguous elements to those at `to` and every `step` elements behind it. Integers wrap around, bools are "or".
// Not for strings, nor for float16 and bfloat16.
void add_apart(std::byte* to, std::size_t step, const std::byte* from, std::size_t count, Dtype dtype);

}  // namespace broadloom
