// A size of an axis, or an element of a tensor of integers.
#pragma once

#include <cstdint>

namespace broadloom {

// In a run, all are numbers. Before a run, 2^32 reserved values are symbolic sizes: unknown_size for
// an unknown size, and the values below it for expressions (core/expressions.h). So operators that move integers also move
// expressions. Integers of a file with a reserved value must not be used as sizes (number_or_unknown).
using Size = std::int64_t;

inline constexpr Size unknown_size = -(Size{1} << 62);

constexpr bool is_number(Size size) { return size > unknown_size || size <= unknown_size - (Size{1} << 32); }

// Turns integers of a file with a reserved value into unknown_size.
constexpr Size number_or_unknown(std::int64_t value) { return is_number(value) ? value : unknown_size; }

}  // namespace broadloom
