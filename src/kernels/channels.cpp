#include "kernels/channels.h"

#include <algorithm>

#include "kernels/square.h"

namespace broadloom {
namespace {

template <std::size_t n>
using Numbers = std::make_index_sequence<n>;

// Both go by squares of units of several items, and one shuffle puts items in order within each vector.

// The source's rows are the result's few columns, without gaps. Writes as many of the result's rows as neither loads nor
// stores beyond the end; returns how many.
template <std::size_t... number>
std::size_t interleave_vectors(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size,
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

// The result's few rows lie side by side in the source. Writes as many columns as neither loads nor stores beyond the end;
// returns how many.
template <std::size_t... number>
std::size_t deinterleave_vectors(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size,
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

}  // namespace

std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  std::size_t done = 0;
  with_side(plane.columns, [&]<std::size_t side>() { done = interleave_vectors(to, from, plane, item_size, Numbers<side>()); });
  return done;
}

std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  std::size_t done = 0;
  with_side(std::max(plane.rows, static_cast<std::size_t>(plane.from_step) / item_size),
            [&]<std::size_t side>() { done = deinterleave_vectors(to, from, plane, item_size, Numbers<side>()); });
  return done;
}

}  // namespace broadloom
