// Integers of 8 bits, packed for products that are exact in int32: in pairs of elements that are summed.
//
// A row has its elements less their zero point, as int16. A panel has eight columns: for each pair of summed elements 16 bytes,
// two of each column, as int8. Elements of uint8 have 128 subtracted: their zero points are less by it, too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/products/panels.h"
#include "kernels/products/tiles.h"

namespace broadloom {

inline constexpr std::size_t pair_panel_columns = 8;
inline constexpr std::size_t pair_panel_step = 2 * pair_panel_columns;

// The most elements that are summed at a time. The rows and the panel of a tile take 4 KiB each.
inline constexpr std::size_t pair_tile_depth = 512;

inline std::size_t pairs_of(std::size_t elements) { return (elements + 1) / 2; }

// 128 for uint8, and 0 for int8.
inline int offset_of(Dtype dtype) { return dtype == Dtype::uint8 ? 128 : 0; }

// Writes elements less `zero` as int16.
void widen(std::byte* to, const std::byte* from, Dtype dtype, int zero, std::size_t count);

// Packs `depth` elements of `columns` columns to panels with a distance of `pitch` bytes, from element `first` of a sum on.
// The other halves of a last half pair are not written: they must be 0. Columns that are not there get any bytes.
void pack_pairs(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t first,
                std::size_t depth, Dtype dtype);

// Whether a number differs from 0.
bool are_any(const std::int32_t* numbers, std::size_t count);

// Subtracts `zeros` times the sum of a row from each row of the target: so it becomes the product with columns that have the
// zero points `zeros`. Each tap of a row has `depth` elements.
void subtract_zeros(Target target, const Rows& rows, std::size_t depth, const std::int32_t* zeros, std::size_t columns);

}  // namespace broadloom
