// Packed operands of products, in the order in which tiles (kernels/products/tiles.h) read them.
#pragma once

#include <cstddef>

#include "kernels/base/simd.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/planes.h"
#include "kernels/products/tiles.h"

namespace broadloom {

// A panel is a part of the second operand: this number of bytes of adjacent columns. In packed panels, the elements that
// are multiplied by the same element of the first operand are adjacent.
inline constexpr std::size_t panel_bytes = 2 * vector_bytes;

// The number of products that a tile sums before it adds the sums to the result. The rows and the panel of a tile take
// 4 and 8 KiB, or twice as much: both stay in the first-level cache.
inline constexpr std::size_t tile_depth = 256;

// A strip is two panels whose rows take turns. So a few rows read packed columns as one stream of bytes, at 1.5 times the
// rate of four streams where they are not in the cache. The last strip is padded with zeros.
inline constexpr std::size_t strip_bytes = 2 * panel_bytes;

// A matrix in memory: strides in bytes between kept rows or columns, and between elements of a sum.
struct Matrix {
  const std::byte* from;
  std::ptrdiff_t kept_step;
  std::ptrdiff_t summed_step;

  Matrix at(std::size_t kept, std::size_t summed) const {
    return {from + times(kept, kept_step) + times(summed, summed_step), kept_step, summed_step};
  }
};

struct ItemTypes {
  explicit ItemTypes(Dtype its_dtype)
      : dtype(its_dtype),
        accumulate(accumulate_type_of(its_dtype)),
        size(item_size(its_dtype)),
        accumulate_size(item_size(accumulate.dtype)) {}
  // Columns of bytes that stand for float32 (kernels/products/scaled_bytes.h).
  static ItemTypes of_scaled_bytes() {
    ItemTypes types(Dtype::float32);
    types.size = 1;
    return types;
  }
  bool are_scaled_bytes() const { return size == 1 && dtype == Dtype::float32; }
  bool is_accumulate_type() const { return accumulate.load == nullptr; }
  std::size_t panel_width() const { return panel_bytes / accumulate_size; }
  std::size_t panels(std::size_t columns) const { return (columns + panel_width() - 1) / panel_width(); }
  std::size_t strip_width() const { return 2 * panel_width(); }
  std::size_t strips(std::size_t columns) const { return (columns + strip_width() - 1) / strip_width(); }
  // The bytes of a row of a panel of constants. Elements of two bytes stay so: weights of float16 take half of the memory. And
  // so do bytes that stand for float32.
  std::size_t constant_row() const { return are_scaled_bytes() ? panel_width() : size == 2 ? panel_bytes / 2 : panel_bytes; }

  Dtype dtype;
  AccumulateType accumulate;
  std::size_t size;             // of an operand's item
  std::size_t accumulate_size;  // of an item in the accumulate type
};

// Packs `columns` columns with `depth` elements each to panels with a distance of `pitch` bytes. The last one is padded with
// zeros. Elements are in the accumulate type, or as constant_row has them.
void pack_panels(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t depth,
                 const ItemTypes& types, bool are_constant = false);

// Packs them to strips of constants, or, where `are_wide`, of the accumulate type. Each follows the one before.
void pack_strips(std::byte* to, const Matrix& matrix, std::size_t columns, std::size_t depth, const ItemTypes& types,
                 bool are_wide = false);

// Packed strips from row `first` of `depth` rows on: `row` is the bytes of a panel's row.
inline Panels panels_of_strips(const std::byte* strips, std::size_t row, std::size_t depth, std::size_t first,
                               std::size_t columns) {
  return {strips + 2 * row * first, static_cast<std::ptrdiff_t>(row), times(2, static_cast<std::ptrdiff_t>(row)), columns,
          times(2 * depth, static_cast<std::ptrdiff_t>(row))};
}

// Calls `write` with panels in the accumulate type: those that stayed in one or two bytes are widened, some at a time, to a
// buffer that stays in the first-level cache with the rows. All taps have `tile_depth` elements at most. `records` are those of
// the panels of scaled bytes.
void write_packed(WriteBlock write, const ItemTypes& types, const Target& target, const Rows& a, const Panels& b,
                  std::size_t depth, const std::byte* records = nullptr);

// Writes a matrix densely that was packed to strips of constants, of `depth` rows. `has_columns`: each of its columns has its
// elements side by side; else each of its rows.
void unpack_strips(std::byte* to, const std::byte* packed, std::size_t columns, std::size_t depth, bool has_columns,
                   const ItemTypes& types);

// Writes one column of packed strips densely.
void unpack_column(std::byte* to, const std::byte* packed, std::size_t column, std::size_t depth, const ItemTypes& types);

// Packs `rows` rows of `depth` elements consecutively.
void pack_rows(std::byte* to, const Matrix& matrix, std::size_t rows, std::size_t depth, const ItemTypes& types);

}  // namespace broadloom
