// A size of an axis, or an element of a tensor of integers.
#pragma once

#include <cstdint>

namespace broadloom {

// In a run all are numbers. Before a run, 2^32 values that no program has use for stand for something else: unknown_size for
// what nothing is known of, and those below it for expressions (core/expressions.h). So whatever moves integers moves
// expressions, too. Integers of a file that have one of these values must not get there.
using Size = std::int64_t;

inline constexpr Size unknown_size = -(Size{1} << 62);

constexpr bool is_number(Size size) { return size > unknown_size || size <= unknown_size - (Size{1} << 32); }

// Integers of a file that look like expressions stand for none.
constexpr Size number_or_unknown(std::int64_t value) { return is_number(value) ? value : unknown_size; }

}  // namespace broadloom
