#include "kernels/planes.h"

#include <algorithm>
#include <bit>

#include "kernels/copy.h"
#include "kernels/square.h"

namespace broadloom {
namespace {

template <std::size_t n>
using Numbers = std::make_index_sequence<n>;

std::ptrdiff_t times(std::size_t count, std::ptrdiff_t step) { return static_cast<std::ptrdiff_t>(count) * step; }

// Calls `kernel.template operator()<side>()` for the square of at least two and `count` rows.
template <class Kernel>
void with_side(std::size_t count, Kernel kernel) {
  switch (std::bit_ceil(count)) {
    case 1:
    case 2: return kernel.template operator()<2>();
    case 4: return kernel.template operator()<4>();
    case 8: return kernel.template operator()<8>();
    default: return kernel.template operator()<16>();
  }
}

// ---- Squares of items ----

template <std::size_t... number>
[[gnu::always_inline]] inline void transpose_square(std::byte* to, const std::byte* from, std::ptrdiff_t to_step,
                                                    std::ptrdiff_t from_step, std::index_sequence<number...>) {
  const Square<sizeof...(number)> rows{{load(from + times(number, from_step))...}};
  const auto columns = transposed(rows);
  (store(to + times(number, to_step), columns.rows[number]), ...);
}

// At least one square; the last ones overlap those before.
template <std::size_t side>
void transpose_tile(std::byte* to, const std::byte* from, const Plane& plane) {
  constexpr std::size_t item_size = vector_bytes / side;
  constexpr Numbers<side> numbers;
  const std::ptrdiff_t to_step = plane.to_step;
  const std::ptrdiff_t from_step = plane.from_step;
  const std::size_t last_row = plane.rows - side;
  const std::size_t last_column = plane.columns - side;
  for (std::size_t i = 0; i < last_row + side; i += side) {
    const std::size_t row = std::min(i, last_row);
    std::byte* square_to = to + times(row, to_step);
    const std::byte* square_from = from + row * item_size;
    for (std::size_t left = last_column;;) {
      transpose_square(square_to, square_from, to_step, from_step, numbers);
      if (left == 0) break;
      const std::size_t step = std::min(left, side);
      square_to += step * item_size;
      square_from += times(step, from_step);
      left -= step;
    }
  }
}

// ---- Few columns or rows: units of several items, which a shuffle puts in order within each vector ----

// Whole squares, as many as neither load nor store beyond the end; returns how many items of each row were written.
template <std::size_t... number>
std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size,
                       std::index_sequence<number...>) {
  constexpr std::size_t side = sizeof...(number);
  constexpr std::size_t unit = vector_bytes / side;
  const std::size_t row_bytes = plane.columns * item_size;
  const std::size_t part = unit / item_size * row_bytes;
  std::byte picked[vector_bytes] = {};
  for (std::size_t i = 0; i < part; ++i) {
    const std::size_t item = i / row_bytes;
    const std::size_t column = i % row_bytes / item_size;
    picked[i] = static_cast<std::byte>(column * unit + item * item_size + i % item_size);
  }
  const Vector lanes = load(picked);
  const std::size_t bytes = plane.rows * row_bytes;
  const std::size_t step = side * part;
  const std::ptrdiff_t offsets[] = {number < plane.columns ? times(number, plane.from_step) : 0 ...};
  std::size_t done = 0;
  for (; done + (side - 1) * part + vector_bytes <= bytes && done + step <= bytes; done += step) {
    const auto columns = transposed(Square<side>{{load(from + offsets[number])...}});
    (store(to + number * part, shuffle(columns.rows[number], lanes)), ...);
    to += step;
    from += vector_bytes;
  }
  return done / row_bytes;
}

template <std::size_t... number>
std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size,
                         std::index_sequence<number...>) {
  constexpr std::size_t side = sizeof...(number);
  constexpr std::size_t unit = vector_bytes / side;
  const std::size_t row_bytes = plane.rows * item_size;
  const auto from_step = static_cast<std::size_t>(plane.from_step);
  std::byte picked[vector_bytes] = {};
  for (std::size_t i = 0; i < plane.rows * unit; ++i) {
    picked[i] = static_cast<std::byte>(i / unit * item_size + i % unit / item_size * from_step + i % item_size);
  }
  const Vector lanes = load(picked);
  const std::size_t part = unit / item_size * from_step;
  const std::size_t bytes = (plane.columns - 1) * from_step + row_bytes;
  std::size_t done = 0;
  for (; done * from_step + (side - 1) * part + vector_bytes <= bytes; done += vector_bytes / item_size) {
    const auto rows = transposed(Square<side>{{shuffle(load(from + number * part), lanes)...}});
    ((number < plane.rows ? store(to + times(number, plane.to_step), rows.rows[number]) : void()), ...);
    to += vector_bytes;
    from += side * part;
  }
  return done;
}

// ---- Everything else, item by item ----

void transpose_items(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  for (std::size_t row = 0; row < plane.rows; ++row) {
    gather(to + times(row, plane.to_step), from + times(row, plane.item_step), plane.from_step, item_size, plane.columns);
  }
}

// A tile's rows and columns have so many bytes.
constexpr std::size_t tile_bytes = 256;

// Halves the longer side until both are short: whatever the sizes of the caches, tiles that share lines and pages follow
// each other. No part is too short for a square.
template <class Tile>
void walk_tiles(std::byte* to, const std::byte* from, Plane plane, std::size_t item_size, const Tile& tile) {
  const std::size_t most = tile_bytes / item_size;
  const std::size_t too_many = most + vector_bytes / item_size;
  if (plane.rows < too_many && plane.columns < too_many) return tile(to, from, plane);
  const auto half = [&](std::size_t count) { return std::max(most, count / 2 / most * most); };
  Plane rest = plane;
  if (plane.rows > plane.columns) {
    plane.rows = half(plane.rows);
    rest.rows -= plane.rows;
    walk_tiles(to, from, plane, item_size, tile);
    walk_tiles(to + times(plane.rows, plane.to_step), from + times(plane.rows, plane.item_step), rest, item_size, tile);
  } else {
    plane.columns = half(plane.columns);
    rest.columns -= plane.columns;
    walk_tiles(to, from, plane, item_size, tile);
    walk_tiles(to + plane.columns * item_size, from + times(plane.columns, plane.from_step), rest, item_size, tile);
  }
}

}  // namespace

void transpose_plane(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  const std::size_t side = vector_bytes / item_size;
  const auto item = static_cast<std::ptrdiff_t>(item_size);
  if (side == 1 || plane.item_step != item) {
    walk_tiles(to, from, plane, item_size, [&](std::byte* tile_to, const std::byte* tile_from, const Plane& tile) {
      transpose_items(tile_to, tile_from, tile, item_size);
    });
  } else if (plane.rows >= side && plane.columns >= side) {
    with_side(side, [&]<std::size_t s>() { walk_tiles(to, from, plane, item_size, transpose_tile<s>); });
  } else if (plane.columns < side && plane.to_step == times(plane.columns, item)) {
    std::size_t done = 0;
    with_side(plane.columns, [&]<std::size_t s>() { done = interleave(to, from, plane, item_size, Numbers<s>()); });
    Plane rest = plane;
    rest.rows -= done;
    transpose_items(to + times(done, plane.to_step), from + times(done, item), rest, item_size);
  } else if (plane.rows < side && plane.from_step > 0 && plane.from_step <= static_cast<std::ptrdiff_t>(vector_bytes)) {
    std::size_t done = 0;
    with_side(std::max(plane.rows, static_cast<std::size_t>(plane.from_step / item)),
              [&]<std::size_t s>() { done = deinterleave(to, from, plane, item_size, Numbers<s>()); });
    Plane rest = plane;
    rest.columns -= done;
    transpose_items(to + done * item_size, from + times(done, plane.from_step), rest, item_size);
  } else {
    transpose_items(to, from, plane, item_size);
  }
}

}  // namespace broadloom
