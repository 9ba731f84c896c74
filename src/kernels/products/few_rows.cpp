#include "kernels/products/few_rows.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/products/tile_items.h"

namespace broadloom {
namespace {

// The bytes of a panel's row, of the two halves that a tile loads.
template <class T>
constexpr std::size_t row_of = 2 * Item<T>::half;

// The number of unrolled steps: a float's row is multiplied in 0.85 of the time of single steps, and more of them pay less than
// their bytes.
template <class T, std::size_t rows>
constexpr std::size_t steps_of = (std::is_same_v<T, float> ? 2 : 1) * (rows == 1 ? 2 : 1);

// The sums of the rows and of one strip. Each is made of sums of `tile_depth` products, as those of other products are.
template <class T, std::size_t... row, std::size_t... k>
[[gnu::always_inline]] inline void write_strip(const Target& target, const std::byte* const* a, const std::byte* strip,
                                               std::size_t sums, std::index_sequence<row...> rows, std::index_sequence<k...>) {
  constexpr std::index_sequence<0, 1> panels;
  const std::byte* from_a[] = {a[row]...};
  Sums<T, sizeof...(row), 2> total;
  const auto each = [&](auto visit) {
    const auto visit_row = [&](std::size_t i) {
      std::byte* const to = target.to + i * target.pitch;
      visit(to, total.left[2 * i]);
      visit(to + vector_bytes, total.right[2 * i]);
      visit(to + panel_bytes, total.left[2 * i + 1]);
      visit(to + panel_bytes + vector_bytes, total.right[2 * i + 1]);
    };
    (visit_row(row), ...);
  };
  if (target.adds) each([](const std::byte* from, Lanes<float>& sum) { sum = load_lanes<float>(from); });
  for (std::size_t done = 0; done < sums; done += tile_depth) {
    Sums<T, sizeof...(row), 2> part;
    const auto add = [&]<std::size_t at>(std::index_sequence<at>) {
      const std::byte* const b[] = {strip, strip + row_of<T>};
      add_products<T, at>(part, from_a, b, panels, rows);
      strip += 2 * row_of<T>;
    };
    std::size_t left = std::min(tile_depth, sums - done);
    for (; left >= sizeof...(k); left -= sizeof...(k)) {
      (add(std::index_sequence<k>()), ...);
      ((from_a[row] += sizeof...(k) * sizeof(float)), ...);
    }
    for (; left > 0; --left) {
      add(std::index_sequence<0>());
      ((from_a[row] += sizeof(float)), ...);
    }
    if (done == 0 && !target.adds) {
      total = part;
      continue;
    }
    const auto sum = [&](std::size_t i) {
      total.left[i] += part.left[i];
      total.right[i] += part.right[i];
    };
    ((sum(2 * row), sum(2 * row + 1)), ...);
  }
  each([](std::byte* to, const Lanes<float>& sum) { store_lanes(to, sum); });
}

template <class T, std::size_t rows>
void write_tile(const Target& target, const std::byte* const* a, const std::byte* strip, std::size_t bytes, std::size_t sums) {
  alignas(vector_bytes) std::byte whole[rows * strip_bytes];
  const bool is_part = bytes < strip_bytes;
  for (std::size_t i = 0; is_part && target.adds && i < rows; ++i) {
    std::memcpy(whole + i * strip_bytes, target.to + i * target.pitch, bytes);
  }
  write_strip<T>(is_part ? Target{whole, strip_bytes, target.adds} : target, a, strip, sums, std::make_index_sequence<rows>(),
                 std::make_index_sequence<steps_of<T, rows>>());
  for (std::size_t i = 0; is_part && i < rows; ++i) {
    std::memcpy(target.to + i * target.pitch, whole + i * strip_bytes, bytes);
  }
}

template <class T>
void write_few_rows(const Target& target, const Rows& a, const std::byte* strips, std::size_t columns, std::size_t sums) {
  const std::size_t width = columns * sizeof(float);
  for (std::size_t x = 0; x < width; x += strip_bytes, strips += 2 * row_of<T> * sums) {
    const std::size_t bytes = std::min(strip_bytes, width - x);
    std::size_t y = 0;
    for (; y + 4 <= a.count; y += 4) write_tile<T, 4>(target.at(y, x), a.at + y, strips, bytes, sums);
    if (y + 2 <= a.count) {
      write_tile<T, 2>(target.at(y, x), a.at + y, strips, bytes, sums);
      y += 2;
    }
    if (y < a.count) write_tile<T, 1>(target.at(y, x), a.at + y, strips, bytes, sums);
  }
}

}  // namespace

WriteFewRows few_rows_of(const ItemTypes& types, bool are_wide) {
  if (types.accumulate.dtype != Dtype::float32) return nullptr;
  if (are_wide || types.dtype == Dtype::float32) return write_few_rows<float>;
  if (types.dtype == Dtype::float16) return write_few_rows<Half>;
  return types.dtype == Dtype::bfloat16 ? write_few_rows<Brain> : nullptr;
}

}  // namespace broadloom
