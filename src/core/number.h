// Numbers in and out of the elements of every numeric type: for lists of JavaScript numbers, and for reading packed and
// reduced-precision elements as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

// Writes `values` as dense elements of `dtype` (complex types take two values an element, real then imaginary).
// Floating-point types round to nearest, ties to even; integers and bool must be exact. A value that the type cannot
// hold is refused, by its index: a fraction or a value out of range, a NaN or an infinity that the type does not have.
// float8e8m0 holds powers of two and NaN only. Not for strings. `out` holds dense_bytes(dtype, count) bytes.
Status encode(Dtype dtype, std::span<const double> values, std::byte* out);

// Reads `count` dense elements of any real numeric type but the 64-bit integers.
void decode(Dtype dtype, const std::byte* data, std::int64_t count, double* out);

}  // namespace broadloom
