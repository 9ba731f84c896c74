// Operands of products in the order in which tiles (kernels/tiles.h) read them.
#pragma once

#include <cstddef>

#include "kernels/convert.h"
#include "kernels/planes.h"
#include "kernels/simd.h"

namespace broadloom {

// A panel is a part of the second operand: so many bytes of columns that lie side by side. In packed panels, the elements that
// meet one element of the first operand follow each other.
inline constexpr std::size_t panel_bytes = 2 * vector_bytes;

// So many products are summed in a tile before the sums are added to the result. The rows and the panel that meet there take
// 4 and 8 KiB, or twice as much: both stay in the first-level cache.
inline constexpr std::size_t tile_depth = 256;

// A matrix in memory: bytes from one row or column that is kept to the next, and from one element of a sum to the next.
struct Matrix {
  const std::byte* from;
  std::ptrdiff_t kept_step;
  std::ptrdiff_t summed_step;

  Matrix at(std::size_t kept, std::size_t summed) const {
    return {from + times(kept, kept_step) + times(summed, summed_step), kept_step, summed_step};
  }
};

struct ItemTypes {
  explicit ItemTypes(Dtype dtype)
      : accumulate(accumulate_type_of(dtype)), size(item_size(dtype)), accumulate_size(item_size(accumulate.dtype)) {}
  bool is_accumulate_type() const { return accumulate.load == nullptr; }
  std::size_t panel_width() const { return panel_bytes / accumulate_size; }
  std::size_t panels(std::size_t columns) const { return (columns + panel_width() - 1) / panel_width(); }

  AccumulateType accumulate;
  std::size_t size;             // of an operand's item
  std::size_t accumulate_size;  // of the items that are computed with
};

// Packs `columns` columns and `depth` elements of each to panels that are `pitch` bytes apart. The last one is filled up with
// zeros.
void pack_panels(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t depth,
                 const ItemTypes& types);

// Packs `rows` rows of `depth` elements, tile_depth at most, one behind the other.
void pack_rows(std::byte* to, const Matrix& matrix, std::size_t rows, std::size_t depth, const ItemTypes& types);

}  // namespace broadloom
