#include "kernels/products/pairs.h"

#include <algorithm>

#include "kernels/base/simd.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

// The bits that differ between an element and the int8 that is packed for it, by its type.
std::byte flip_of(Dtype dtype) { return static_cast<std::byte>(offset_of(dtype)); }

void flip_step(std::byte* bytes, const Vector& mask) {
  store_lanes(bytes, load_lanes<std::uint8_t>(bytes) ^ as<Lanes<std::uint8_t>>(mask));
}

// Whole panels of columns side by side, or of sums side by side, without odd elements. Others are packed one by one: so are
// pairs at odd addresses.
bool pack_whole_pairs(std::byte* to, const Matrix& matrix, std::size_t columns, std::size_t depth) {
  const std::byte* from = matrix.from;
  if (matrix.kept_step == 1 && columns == pair_panel_columns) {
    for (std::size_t k = 0; k < depth; k += 2, from += 2 * matrix.summed_step, to += pair_panel_step) {
      store(to, shuffle(splat<8>(from), splat<8>(from + matrix.summed_step),
                        std::index_sequence<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>()));
    }
    return true;
  }
  const bool is_even = reinterpret_cast<std::uintptr_t>(from) % 2 == 0 && matrix.kept_step % 2 == 0;
  if (matrix.summed_step != 1 || !is_even) return false;
  transpose_plane(to, from, {depth / 2, columns, pair_panel_step, matrix.kept_step, 2}, 2);
  return true;
}

std::uint32_t sum_of_row(const std::byte* row, std::size_t count) {
  Lanes<std::uint32_t> sums{};
  constexpr std::int16_t one = 1;
  const Vector ones = splat<2>(reinterpret_cast<const std::byte*>(&one));
  std::size_t i = 0;
  for (; i + lanes_of<std::int16_t> <= count; i += lanes_of<std::int16_t>) sums += dot_pairs(load(row + 2 * i), ones);
  std::uint32_t sum = sums[0] + sums[1] + sums[2] + sums[3];
  for (; i < count; ++i) sum += static_cast<std::uint32_t>(reinterpret_cast<const std::int16_t*>(row)[i]);
  return sum;
}

}  // namespace

void widen(std::byte* to, const std::byte* from, Dtype dtype, int zero, std::size_t count) {
  const std::byte mask = flip_of(dtype);
  const auto less = static_cast<std::int16_t>(zero - offset_of(dtype));
  const Vector masks = splat<1>(&mask);
  const auto zeros = as<Lanes<std::uint16_t>>(splat<2>(reinterpret_cast<const std::byte*>(&less)));
  std::size_t i = 0;
  for (; i + vector_bytes <= count; i += vector_bytes) {
    const auto bytes = as<Vector>(load_lanes<std::uint8_t>(from + i) ^ as<Lanes<std::uint8_t>>(masks));
    store_lanes(to + 2 * i, as<Lanes<std::uint16_t>>(extended<std::int16_t, std::int8_t, 0>(bytes)) - zeros);
    store_lanes(to + 2 * i + vector_bytes, as<Lanes<std::uint16_t>>(extended<std::int16_t, std::int8_t, 1>(bytes)) - zeros);
  }
  for (; i < count; ++i) {
    const auto element = std::to_integer<std::int8_t>(from[i] ^ mask);
    reinterpret_cast<std::int16_t*>(to)[i] = static_cast<std::int16_t>(element - less);
  }
}

void pack_pairs(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t first,
                std::size_t depth, Dtype dtype) {
  const std::byte mask = flip_of(dtype);
  const Vector masks = splat<1>(&mask);
  const std::size_t whole = first % 2 == 0 ? depth / 2 * 2 : 0;
  to += first / 2 * pair_panel_step;
  for (std::size_t x = 0; x < columns; x += pair_panel_columns, to += pitch) {
    const Matrix part = matrix.at(x, 0);
    const std::size_t kept = std::min(pair_panel_columns, columns - x);
    const std::size_t done = pack_whole_pairs(to, part, kept, whole) ? whole : 0;
    for (std::size_t k = 0; k < done / 2; ++k) flip_step(to + k * pair_panel_step, masks);
    for (std::size_t column = 0; column < kept; ++column) {
      const std::byte* from = part.at(column, done).from;
      for (std::size_t k = first % 2 + done; k < first % 2 + depth; ++k, from += part.summed_step) {
        to[k / 2 * pair_panel_step + 2 * column + k % 2] = *from ^ mask;
      }
    }
  }
}

bool are_any(const std::int32_t* numbers, std::size_t count) {
  std::int32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits |= numbers[i];
  return bits != 0;
}

void subtract_zeros(Target target, const Rows& rows, std::size_t depth, const std::int32_t* zeros, std::size_t columns) {
  const auto* const factors = reinterpret_cast<const std::byte*>(zeros);
  for (std::size_t row = 0; row < rows.count; ++row, target.to += target.pitch) {
    std::uint32_t sum = 0;
    for (std::size_t tap = 0; tap < rows.taps; ++tap)
      sum += sum_of_row(rows.at[tap * rows.distance + row] + rows.offset, depth);
    std::size_t i = 0;
    for (; i + lanes_of<std::uint32_t> <= columns; i += lanes_of<std::uint32_t>) {
      std::byte* const to = target.to + 4 * i;
      store_lanes(to, load_lanes<std::uint32_t>(to) - sum * load_lanes<std::uint32_t>(factors + 4 * i));
    }
    for (; i < columns; ++i) reinterpret_cast<std::uint32_t*>(target.to)[i] -= sum * static_cast<std::uint32_t>(zeros[i]);
  }
}

}  // namespace broadloom
