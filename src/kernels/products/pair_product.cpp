#include "kernels/products/pair_product.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "kernels/movement/planes.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

std::size_t panel_count(std::size_t columns) { return (columns + pair_panel_columns - 1) / pair_panel_columns; }

// The bytes of a packed row. Elements are multiplied in pairs: an odd row gets one more element, which is multiplied by 0.
std::size_t widened_bytes(std::size_t sums) { return pairs_of(sums) * 2 * sizeof(std::int16_t); }

}  // namespace

Count PairProduct::packed_bytes() const { return Count(panel_count(columns)) * pairs_of(sums) * pair_panel_step; }

void PairProduct::pack(std::byte* to, const Matrix& b, Dtype dtype) const {
  const std::size_t pitch = pairs_of(sums) * pair_panel_step;
  const std::size_t panels = panel_count(columns);
  if (sums % 2 != 0) {
    for (std::size_t i = 1; i <= panels; ++i) std::memset(to + i * pitch - pair_panel_step, 0, pair_panel_step);
  }
  // Rows of the operand are read together: parts of them stay in the cache until the panels beside them are packed.
  constexpr std::size_t part = 64;
  for (std::size_t k = 0; k < sums; k += part) {
    pack_pairs(to, pitch, b.at(0, k), columns, k, std::min(part, sums - k), dtype);
  }
}

void PairProduct::unpack(std::byte* to, std::size_t column_step, std::size_t sum_step, const std::byte* packed,
                         Dtype dtype) const {
  const auto flip = static_cast<std::byte>(offset_of(dtype));
  const std::size_t pitch = pairs_of(sums) * pair_panel_step;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::byte* const from = packed + i / pair_panel_columns * pitch + i % pair_panel_columns * 2;
    for (std::size_t k = 0; k < sums; ++k) to[i * column_step + k * sum_step] = from[k / 2 * pair_panel_step + k % 2] ^ flip;
  }
}

Count PairProduct::workspace_bytes() const {
  const Count row = Count(sums) * (1 + sizeof(std::int16_t)) + 2 * vector_bytes;
  return row * block_rows() + vector_bytes;
}

void PairProduct::run(std::byte* to, const Matrix& a, Dtype dtype, const std::byte* packed, const Zeros& zeros,
                      std::size_t count, std::byte* workspace) const {
  const std::size_t row_bytes = widened_bytes(sums);
  Matrix part = a;
  if (part.summed_step != 1 && sums > 1) {
    std::byte* const dense = workspace + whole_vectors(count * row_bytes);
    const auto step = [](std::ptrdiff_t bytes) { return static_cast<std::int64_t>(bytes); };
    const Layout layout{SymbolicDims{static_cast<std::int64_t>(count), static_cast<std::int64_t>(sums)},
                        Dims{step(part.kept_step), step(part.summed_step)}};
    materialize(dense, part.from, layout, 1);
    part = {dense, static_cast<std::ptrdiff_t>(sums), 1};
  }
  const std::byte* rows_at[most_rows];
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const row = workspace + i * row_bytes;
    rows_at[i] = row;
    widen(row, part.at(i, 0).from, dtype, zeros.rows[i], sums);
  }
  multiply(to, rows_at, packed, zeros.columns, count);
}

void PairProduct::multiply(std::byte* to, const std::byte* const* rows_at, const std::byte* packed,
                           const std::int32_t* column_zeros, std::size_t count) const {
  const std::size_t pitch = columns * sizeof(std::int32_t);
  const std::size_t pairs = pairs_of(sums);
  std::size_t done = 0;
  do {
    constexpr std::size_t depth = pair_tile_depth / 2;
    Rows some{rows_at, count};
    some.offset = static_cast<std::ptrdiff_t>(done * 2 * sizeof(std::int16_t));
    write_pairs(
        {to, pitch, done > 0}, some,
        {packed + done * pair_panel_step, static_cast<std::ptrdiff_t>(pairs * pair_panel_step), pair_panel_step, columns},
        std::min(depth, pairs - done));
    done += depth;
  } while (done < pairs);
  if (column_zeros != nullptr) subtract_zeros({to, pitch, false}, {rows_at, count}, sums, column_zeros, columns);
}

}  // namespace broadloom
