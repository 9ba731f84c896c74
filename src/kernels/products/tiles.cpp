#include "kernels/products/tiles.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/base/chosen.h"
#include "kernels/products/panels.h"
#include "kernels/products/tile_items.h"

namespace broadloom {
namespace {

// A tile of the result is four rows of one panel, two rows of two panels, or one row of four: its sums are eight vectors, the
// number that keeps a processor's adders busy.
constexpr std::size_t tile_rows = 4;

// The number of unrolled steps of a tile. For other types than float, four steps would be 1 kB of gzip. With four steps of
// pairs, compilers load more than registers hold: 63 Gop/s instead of 73.
template <class T>
constexpr std::size_t unrolled = std::is_same_v<T, float> ? 4 : 1;

// Where a tile's operands lie.
template <std::size_t rows, std::size_t panels>
struct Sources {
  const std::byte* const* a[rows];
  const std::byte* b[panels];
  const std::byte* bias[panels];  // or nullptr
};

// Writes a tile. Each sum adds the products of all taps, one after the other.
template <class T, std::size_t... row, std::size_t... panel, std::size_t... k>
[[gnu::always_inline]] inline void write_tile(std::byte* target, std::size_t pitch, bool adds, bool has_bias, const Rows& rows,
                                              const Sources<sizeof...(row), sizeof...(panel)>& from, std::ptrdiff_t step,
                                              std::size_t depth, std::index_sequence<row...> row_numbers,
                                              std::index_sequence<panel...> panel_numbers, std::index_sequence<k...>) {
  using Sum = SumOf<T>;
  constexpr std::size_t panels = sizeof...(panel);
  const std::byte* from_b[] = {from.b[panel]...};
  Sums<T, sizeof...(row), panels> sums;
  if (has_bias) {
    const auto begin = [&](std::size_t i) {
      ((sums.left[i * panels + panel] = load_lanes<Sum>(from.bias[panel]),
        sums.right[i * panels + panel] = load_lanes<Sum>(from.bias[panel] + vector_bytes)),
       ...);
    };
    (begin(row), ...);
  }
  for (std::size_t tap = 0; tap < rows.taps; ++tap) {
    const std::byte* from_a[] = {from.a[row][tap * rows.distance] + rows.offset...};
    // Constant steps are part of addresses.
    const std::ptrdiff_t b_step = std::is_same_v<T, Pair> ? vector_bytes : step;
    std::size_t left = depth;
    for (; left >= sizeof...(k); left -= sizeof...(k)) {
      ((add_products<T, k>(sums, from_a, from_b, panel_numbers, row_numbers), ((from_b[panel] += b_step), ...)), ...);
      ((from_a[row] += sizeof...(k) * sizeof(T)), ...);
    }
    for (; sizeof...(k) > 1 && left > 0; --left) {
      add_products<T, 0>(sums, from_a, from_b, panel_numbers, row_numbers);
      ((from_b[panel] += b_step), ...);
      ((from_a[row] += sizeof(T)), ...);
    }
  }
  const auto write = [&](std::byte* to, const Lanes<Sum>& sum) { store_lanes(to, adds ? load_lanes<Sum>(to) + sum : sum); };
  const auto write_row = [&](std::size_t i) {
    std::byte* to = target + i * pitch;
    ((write(to + panel * panel_bytes, sums.left[i * panels + panel]),
      write(to + panel * panel_bytes + vector_bytes, sums.right[i * panels + panel])),
     ...);
  };
  (write_row(row), ...);
}

// Writes the sums of part of a tile.
template <class T>
[[gnu::noinline]] void copy_part(const Target& target, const std::byte* from, std::size_t pitch, std::size_t count,
                                 std::size_t row_bytes) {
  for (std::size_t row = 0; row < count; ++row, from += pitch) {
    std::byte* const to = target.to + row * target.pitch;
    std::size_t i = 0;
    for (; i + vector_bytes <= row_bytes; i += vector_bytes) {
      const auto sums = load_lanes<T>(from + i);
      store_lanes(to + i, target.adds ? load_lanes<T>(to + i) + sums : sums);
    }
    for (; i < row_bytes; i += sizeof(T)) {
      T sum = *reinterpret_cast<const T*>(from + i);
      if (target.adds) sum += *reinterpret_cast<const T*>(to + i);
      *reinterpret_cast<T*>(to + i) = sum;
    }
  }
}

// Writes `row_bytes` bytes of `count` rows to `to`, where the tile may have more of both: rows of `a` from `row` on, and panels
// of `b` from `panel` on. Records of a whole block come by reference: with one of each for every tile, a small product takes a
// tenth longer.
template <class T, std::size_t rows, std::size_t panels>
void write_part(std::byte* to, const Target& target, const Rows& a, std::size_t row, const Panels& b, std::size_t panel,
                std::size_t count, std::size_t row_bytes, std::size_t depth) {
  constexpr std::size_t tile_bytes = panels * panel_bytes;
  // Rows and panels that are not there are the last ones once more.
  Sources<rows, panels> from;
  for (std::size_t i = 0; i < rows; ++i) from.a[i] = a.at + row + std::min(i, count - 1);
  const std::size_t last = (row_bytes - 1) / panel_bytes;
  for (std::size_t i = 0; i < panels; ++i) {
    from.b[i] = b.at(panel + std::min(i, last));
    if (target.bias != nullptr) from.bias[i] = target.bias + std::min(i, last) * panel_bytes;
  }
  alignas(vector_bytes) std::byte buffer[rows * tile_bytes];
  const bool is_whole = count == rows && row_bytes == tile_bytes;
  write_tile<T>(is_whole ? to : buffer, is_whole ? target.pitch : tile_bytes, is_whole && target.adds, target.bias != nullptr,
                a, from, b.step, depth, std::make_index_sequence<rows>(), std::make_index_sequence<panels>(),
                std::make_index_sequence<unrolled<T>>());
  if (!is_whole) copy_part<SumOf<T>>({to, target.pitch, target.adds}, buffer, tile_bytes, count, row_bytes);
}

// Whether two rows that are left are two tiles, which is less code. Of pairs they take as long as one.
template <class T>
constexpr bool has_single_rows = !std::is_same_v<T, float>;

template <class T>
void write_block(Target target, const Rows& a, const Panels& b, std::size_t depth) {
  const std::size_t width = b.columns * sizeof(SumOf<T>);
  const std::size_t whole = a.count / tile_rows * tile_rows;
  const std::size_t others = a.count - whole;
  std::byte* const rest = target.to + whole * target.pitch;
  for (std::size_t x = 0; x < width; x += tile_panels * panel_bytes) {
    const std::size_t end = std::min(x + tile_panels * panel_bytes, width);
    for (std::size_t left = x; left < end; left += panel_bytes) {
      const Target part = target.at(0, left);
      const std::size_t bytes = std::min(panel_bytes, width - left);
      const std::size_t panel = left / panel_bytes;
      std::byte* to = part.to;
      for (std::size_t y = 0; y < whole; y += tile_rows, to += tile_rows * target.pitch) {
        write_part<T, tile_rows, 1>(to, part, a, y, b, panel, tile_rows, bytes, depth);
      }
      if (others == 3) write_part<T, tile_rows, 1>(to, part, a, whole, b, panel, 3, bytes, depth);
    }
    if (others == 1 || (others == 2 && has_single_rows<T>)) {
      for (std::size_t y = whole; y < a.count; ++y) {
        const Target part = target.at(y, x);
        write_part<T, 1, tile_panels>(part.to, part, a, y, b, x / panel_bytes, 1, end - x, depth);
      }
    } else if (others == 2) {
      for (std::size_t left = x; !has_single_rows<T> && left < end; left += 2 * panel_bytes) {
        write_part<T, 2, 2>(rest + left, target.at(0, left), a, whole, b, left / panel_bytes, 2,
                            std::min(2 * panel_bytes, end - left), depth);
      }
    }
  }
}

}  // namespace

void write_pairs(Target target, const Rows& a, const Panels& b, std::size_t depth) {
  using chosen::has_type;
  if constexpr (has_type(Dtype::int8) || has_type(Dtype::uint8)) write_block<Pair>(target, a, b, depth);
}

WriteBlock write_block_of(Dtype dtype) {
  using chosen::has_type;
  switch (dtype) {
    case Dtype::float32:
      if constexpr (has_type(Dtype::float32)) return write_block<float>;
      break;
    case Dtype::float64:
      if constexpr (has_type(Dtype::float64)) return write_block<double>;
      break;
    case Dtype::int32:
    case Dtype::uint32:
      if constexpr (has_type(Dtype::int32) || has_type(Dtype::uint32)) return write_block<std::uint32_t>;
      break;
    default:
      if constexpr (has_type(Dtype::int64) || has_type(Dtype::uint64)) return write_block<std::uint64_t>;
  }
  return nullptr;
}

}  // namespace broadloom
