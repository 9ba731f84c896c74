// Converts between numbers and elements of every numeric type, for lists of JavaScript numbers, and for reading packed and
// reduced-precision elements as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

// Writes `values` as dense elements of `dtype` (complex types take two values per element, real then imaginary).
// Floating-point types round to nearest, ties to even; integers and bool must be exact. Fails for a value that the type cannot
// represent, with its index: a fraction, a value out of range, or a NaN or infinity that the type lacks.
// float8e8m0 has only powers of two and NaN. Not for strings. `out` must have dense_bytes(dtype, count) bytes.
Status encode(Dtype dtype, std::span<const double> values, std::byte* out);

// Reads `count` dense elements of any real numeric type except the 64-bit integers.
void decode(Dtype dtype, const std::byte* data, std::int64_t count, double* out);

}  // namespace broadloom
