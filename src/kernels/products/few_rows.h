// Products of a few rows: they are as fast as memory brings the packed columns.
#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "kernels/products/panels.h"

namespace broadloom {

// The most rows for which it pays to read each strip once, from its first row to its last.
inline constexpr std::size_t most_few_rows = 16;

// Writes the products of rows and of strips (kernels/products/panels.h) with `sums` rows each. Rows of `a` have one tap, of the
// accumulate type.
using WriteFewRows = void (*)(const Target& target, const Rows& a, const std::byte* strips, std::size_t columns,
                              std::size_t sums);

// For strips of constants of this type, or of the accumulate type where they are wide; nullptr for types without such loops.
WriteFewRows few_rows_of(const ItemTypes& types, bool are_wide);

// Strips of float16 have no infinities and NaNs, and the numbers of their rows come times 2^112: so the bits of a float16 are
// those of a float where they lie. No float16 becomes infinity by that.
inline constexpr float half_scale = 0x1p112F;

}  // namespace broadloom
