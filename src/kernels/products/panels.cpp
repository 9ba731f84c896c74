#include "kernels/products/panels.h"

#include <algorithm>
#include <cstring>

#include "kernels/movement/copy.h"
#include "kernels/movement/planes.h"
#include "kernels/products/scaled_bytes.h"

namespace broadloom {
namespace {

// The number of items of panels that are packed at a time: in the rows of a large matrix, each item lies on another page.
constexpr std::size_t packed_depth = 16;

// Writes rows of items, `to_step` bytes apart: one for each of `depth` summed elements, with `kept` items.
void write_rows(std::byte* to, std::size_t to_step, const Matrix& matrix, std::size_t kept, std::size_t depth,
                std::size_t item_size) {
  const auto size = static_cast<std::ptrdiff_t>(item_size);
  if (matrix.kept_step != size) {
    const Plane plane{depth, kept, static_cast<std::ptrdiff_t>(to_step), matrix.kept_step, matrix.summed_step};
    return transpose_plane(to, matrix.from, plane, item_size);
  }
  const std::byte* from = matrix.from;
  const std::size_t bytes = kept * item_size;
  for (std::size_t k = 0; k < depth; ++k, to += to_step, from += matrix.summed_step) {
    if (bytes % panel_bytes == 0) {
      for (std::size_t i = 0; i < bytes; i += vector_bytes) store(to + i, load(from + i));
    } else {
      std::memcpy(to, from, bytes);
    }
  }
}

// Packs to panels or strips of `width` columns, whose rows have `row` bytes.
void pack(std::byte* to, std::size_t pitch, std::size_t width, std::size_t row, const Matrix& matrix, std::size_t columns,
          std::size_t depth, const ItemTypes& types) {
  const bool widens = row != width * types.size;
  alignas(vector_bytes) std::byte raw[packed_depth * strip_bytes];
  // Columns that lie one after the other are transposed as a whole.
  const std::size_t step = !widens && matrix.kept_step != static_cast<std::ptrdiff_t>(types.size) ? tile_depth : packed_depth;
  for (std::size_t k = 0; k < depth; k += step) {
    const std::size_t deep = std::min(step, depth - k);
    std::byte* part = to + k * row;
    for (std::size_t x = 0; x < columns; x += width, part += pitch) {
      const std::size_t kept = std::min(width, columns - x);
      std::byte* const rows = widens ? raw : part;
      if (kept < width) std::memset(rows, 0, deep * width * types.size);
      write_rows(rows, width * types.size, matrix.at(x, k), kept, deep, types.size);
      const std::byte* const packed[] = {raw};
      if (widens) types.accumulate.load(part, packed, deep * width);
    }
  }
}

}  // namespace

void pack_panels(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t depth,
                 const ItemTypes& types, bool are_constant) {
  pack(to, pitch, types.panel_width(), are_constant ? types.constant_row() : panel_bytes, matrix, columns, depth, types);
}

void pack_strips(std::byte* to, const Matrix& matrix, std::size_t columns, std::size_t depth, const ItemTypes& types,
                 bool are_wide) {
  const std::size_t row = are_wide ? strip_bytes : 2 * types.constant_row();
  pack(to, depth * row, types.strip_width(), row, matrix, columns, depth, types);
}

[[gnu::noinline]] void write_packed(WriteBlock write, const ItemTypes& types, const Target& target, const Rows& a,
                                    const Panels& b, std::size_t depth, const std::byte* records) {
  if (types.constant_row() == panel_bytes) return write(target, a, b, depth);
  alignas(vector_bytes) std::byte wide[tile_panels * tile_depth * panel_bytes];
  const std::size_t rows = a.taps * depth;
  // A panel at a time, or a strip.
  const std::size_t run = b.step == static_cast<std::ptrdiff_t>(types.constant_row()) ? 1 : 2;
  const std::size_t width = run * types.panel_width();
  const auto step = static_cast<std::ptrdiff_t>(run * panel_bytes);
  const std::ptrdiff_t pitch = times(rows, step);
  constexpr auto panel = static_cast<std::ptrdiff_t>(panel_bytes);
  for (std::size_t x = 0; x < b.columns; x += tile_panels * types.panel_width()) {
    const std::size_t columns = std::min(tile_panels * types.panel_width(), b.columns - x);
    std::byte* to = wide;
    for (std::size_t done = 0; done < columns; done += width, to += pitch) {
      const std::size_t panel = (x + done) / types.panel_width();
      const std::byte* const from = b.at(panel);
      if (!types.are_scaled_bytes()) types.accumulate.load(to, &from, rows * width);
      for (std::size_t i = 0; types.are_scaled_bytes() && i < run; ++i) {
        widen_bytes(to + i * panel_bytes, run * panel_bytes, from + i * types.constant_row(), run * types.constant_row(), rows,
                    records + (panel + i) * scale_record);
      }
    }
    const Panels panels = run == 1 ? Panels{wide, pitch, step, columns} : Panels{wide, panel, step, columns, pitch};
    write(target.at(0, x * types.accumulate_size), a, panels, depth);
  }
}

void unpack_strips(std::byte* to, const std::byte* packed, std::size_t columns, std::size_t depth, bool has_columns,
                   const ItemTypes& types) {
  const std::size_t width = types.strip_width();
  const auto item = static_cast<std::ptrdiff_t>(types.size);
  const std::ptrdiff_t row = times(width, item);
  for (std::size_t x = 0; x < columns; x += width, packed += times(depth, row)) {
    const std::size_t some = std::min(width, columns - x);
    if (has_columns) {
      write_rows(to + x * depth * types.size, depth * types.size, {packed, row, item}, depth, some, types.size);
    } else {
      write_rows(to + x * types.size, columns * types.size, {packed, item, row}, some, depth, types.size);
    }
  }
}

void unpack_column(std::byte* to, const std::byte* packed, std::size_t column, std::size_t depth, const ItemTypes& types) {
  const std::size_t row = types.strip_width() * types.size;
  packed += column / types.strip_width() * depth * row + column % types.strip_width() * types.size;
  with_item_size(types.size, [&]<std::size_t size>() {
    for (std::size_t k = 0; k < depth; ++k, packed += row) std::memcpy(to + k * size, packed, size);
  });
}

void pack_rows(std::byte* to, const Matrix& matrix, std::size_t rows, std::size_t depth, const ItemTypes& types) {
  const Matrix turned{matrix.from, matrix.summed_step, matrix.kept_step};
  if (types.is_accumulate_type()) return write_rows(to, depth * types.size, turned, depth, rows, types.size);
  alignas(vector_bytes) std::byte raw[tile_depth * sizeof(std::uint16_t)];
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t done = 0; done < depth; done += tile_depth) {
      const std::size_t some = std::min(tile_depth, depth - done);
      write_rows(raw, some * types.size, turned.at(done, row), some, 1, types.size);
      const std::byte* const packed[] = {raw};
      types.accumulate.load(to, packed, some);
      to += some * types.accumulate_size;
    }
  }
}

}  // namespace broadloom
