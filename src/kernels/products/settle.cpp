#include "kernels/products/settle.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/base/simd.h"
#include "kernels/elementwise/quantize.h"
#include "kernels/products/pairs.h"

namespace broadloom {
namespace {

using Floats = Lanes<float>;
using Integers = Lanes<std::int32_t>;
constexpr std::size_t four_floats = lanes_of<float>;

// From here on to the next power of two, the least step is 1: an addition rounds, and sums have integers in their low bits.
constexpr float magic = 0x1.8p23F;

const std::byte* bytes_of(const float* numbers) { return reinterpret_cast<const std::byte*>(numbers); }
Floats load_floats(const float* from) { return load_lanes<float>(bytes_of(from)); }

// The roundings of product `k` of a sum: three of its factors and itself, one for each addition in its part of the sum and for
// each part, and eight of what follows: conversions and products here, the quotient, and the bias.
float roundings(std::size_t k, std::size_t sums) {
  return static_cast<float>(tile_depth - k % tile_depth + (sums + tile_depth - 1) / tile_depth + 11);
}

// The integers of elements 2k and 2k + 1 of four or more columns.
template <std::size_t half>
[[gnu::always_inline]] inline Floats half_of(const Vector& words) {
  return __builtin_convertvector(as<Integers>(extended<std::int32_t, std::int16_t, half>(words)), Floats);
}

}  // namespace

void widen_grid(std::byte* to, const float* from, float inverse, std::size_t count) {
  std::size_t i = 0;
  for (; i + 2 * four_floats <= count; i += 2 * four_floats) {
    const Floats first = load_floats(from + i) * inverse + magic;
    const Floats second = load_floats(from + i + four_floats) * inverse + magic;
    store(to + 2 * i, first_halves<4>(as<Vector>(first), as<Vector>(second)));
  }
  for (; i < count; ++i) {
    reinterpret_cast<std::int16_t*>(to)[i] = static_cast<std::int16_t>(std::nearbyint(from[i] * inverse));
  }
}

void narrow_grid(std::byte* to, const float* from, float inverse, float shift, std::size_t count) {
  std::size_t i = 0;
  const Floats addend = Floats{} + (magic - shift);
  const auto integers = [&](std::size_t at) { return as<Vector>(load_floats(from + at) * inverse + addend); };
  for (; i + vector_bytes <= count; i += vector_bytes) {
    const Vector first = first_halves<4>(integers(i), integers(i + four_floats));
    const Vector second = first_halves<4>(integers(i + 2 * four_floats), integers(i + 3 * four_floats));
    store(to + i, first_halves<2>(first, second));
  }
  for (; i < count; ++i) to[i] = static_cast<std::byte>(static_cast<int>(std::nearbyint(from[i] * inverse) - shift));
}

float rounding_norm(const float* row, std::size_t count) {
  Floats sums[2] = {};
  float rest = 0;
  for (std::size_t done = 0; done < count; done += tile_depth) {
    const std::size_t end = std::min(count, done + tile_depth);
    Floats most = Floats{} + roundings(done, count);
    std::size_t k = done;
    for (; k + 2 * four_floats <= end; k += 2 * four_floats, most -= static_cast<float>(2 * four_floats)) {
      const Floats first = load_floats(row + k);
      const Floats second = load_floats(row + k + four_floats);
      sums[0] += first * first * most;
      sums[1] += second * second * most;
    }
    for (; k < end; ++k) rest += row[k] * row[k] * roundings(k, count);
  }
  const Floats all = sums[0] + sums[1];
  return std::sqrt(all[0] + all[1] + all[2] + all[3] + rest);
}

void write_rounding_norms(float* to, const std::byte* packed, const std::int32_t* zeros, std::size_t columns,
                          std::size_t sums) {
  for (std::size_t x = 0; x < columns; x += pair_panel_columns) {
    const auto* const less = reinterpret_cast<const std::byte*>(zeros + x);
    const Floats low = __builtin_convertvector(load_lanes<std::int32_t>(less), Floats);
    const Floats high = __builtin_convertvector(load_lanes<std::int32_t>(less + vector_bytes), Floats);
    Floats squares[2] = {};
    for (std::size_t k = 0; k < sums; k += 2, packed += pair_panel_step) {
      const float most = roundings(k, sums);
      const auto words = load_lanes<std::uint16_t>(packed);
      const auto add = [&](const Vector& elements) {
        const Floats first = half_of<0>(elements) - low;
        const Floats second = half_of<1>(elements) - high;
        squares[0] += first * first * most;
        squares[1] += second * second * most;
      };
      add(as<Vector>(as<Lanes<std::int16_t>>(words << 8) >> 8));
      if (k + 1 < sums) add(as<Vector>(as<Lanes<std::int16_t>>(words) >> 8));
    }
    for (std::size_t i = 0; i < pair_panel_columns; ++i) to[x + i] = std::sqrt(squares[i / four_floats][i % four_floats]);
  }
}

void Settling::run(std::byte* sums, std::size_t row, float norm, std::size_t columns, OpenResults& open) const {
  const Floats low = Floats{} + least;
  const Floats high = Floats{} + greatest;
  // Less than a half, for the roundings of the comparison itself.
  const Floats most = Floats{} + 0x1.FFFp-2F;
  const auto settle = [&](std::byte* at, std::size_t x) {
    Floats t = __builtin_convertvector(load_lanes<std::int32_t>(at), Floats) * load_floats(quotients + x);
    Floats bound = load_floats(bounds + x) * norm;
    if (added != nullptr) {
      t += load_floats(added + x);
      bound += load_floats(slacks + x);
    }
    t = low < t ? t : low;
    t = t < high ? t : high;
    const Floats rounded = t + magic - magic;
    const auto distance = as<Floats>(as<Lanes<std::uint32_t>>(t - rounded) & 0x7FFFFFFFU);
    const auto is_settled = distance + bound < most;
    store_lanes(at, rounded * factor);
    if (!any(~is_settled)) return;
    for (std::size_t i = 0; i < four_floats && x + i < columns; ++i) {
      if (is_settled[i] == 0) open.add(row, x + i, x / pair_panel_columns);
    }
  };
  const std::size_t whole = columns / four_floats * four_floats;
  const std::size_t rest = columns - whole;
  for (std::size_t x = 0; x < whole; x += four_floats) settle(sums + x * sizeof(float), x);
  if (rest > 0) {
    alignas(vector_bytes) std::byte last[vector_bytes] = {};
    std::memcpy(last, sums + whole * sizeof(float), rest * sizeof(float));
    settle(last, whole);
    std::memcpy(sums + whole * sizeof(float), last, rest * sizeof(float));
  }
}

// ---- Open results ----

namespace {

// The most rows that are multiplied with a panel at a time.
constexpr std::size_t most_rows_again = 32;
static_assert(pair_panel_columns * sizeof(float) == panel_bytes);

// Writes a packed panel as one of float32.
void write_panel(std::byte* to, const std::byte* packed, const std::int32_t* zeros, const float* scales, std::size_t sums) {
  const auto* const less = reinterpret_cast<const std::byte*>(zeros);
  const Floats zero[] = {__builtin_convertvector(load_lanes<std::int32_t>(less), Floats),
                         __builtin_convertvector(load_lanes<std::int32_t>(less + vector_bytes), Floats)};
  const Floats scale[] = {load_floats(scales), load_floats(scales + four_floats)};
  for (std::size_t k = 0; k < sums; k += 2, packed += pair_panel_step, to += 2 * panel_bytes) {
    const auto words = load_lanes<std::uint16_t>(packed);
    const auto even = as<Vector>(as<Lanes<std::int16_t>>(words << 8) >> 8);
    const auto odd = as<Vector>(as<Lanes<std::int16_t>>(words) >> 8);
    store_lanes(to, (half_of<0>(even) - zero[0]) * scale[0]);
    store_lanes(to + vector_bytes, (half_of<1>(even) - zero[1]) * scale[1]);
    store_lanes(to + panel_bytes, (half_of<0>(odd) - zero[0]) * scale[0]);
    store_lanes(to + panel_bytes + vector_bytes, (half_of<1>(odd) - zero[1]) * scale[1]);
  }
}

}  // namespace

std::size_t Settling::workspace_bytes(std::size_t sums) { return (sums + 1) * panel_bytes; }

void Settling::sum_again(std::byte* to, const std::byte* const* rows, const GridColumns& columns, OpenResults& open,
                         std::byte* workspace) const {
  const std::size_t panels = (columns.columns + pair_panel_columns - 1) / pair_panel_columns;
  const std::size_t pitch = pairs_of(columns.sums) * pair_panel_step;
  constexpr auto step = static_cast<std::ptrdiff_t>(panel_bytes);
  const WriteBlock write = write_block_of(Dtype::float32);
  float constants[4][most_rows_again];
  const float values[] = {divisor, least, greatest, factor};
  for (std::size_t i = 0; i < 4; ++i) std::fill_n(constants[i], most_rows_again, values[i]);
  for (std::size_t panel = 0; panel < panels && open.count > 0; ++panel) {
    std::uint32_t next = open.first[panel];
    if (next == OpenResults::none) continue;
    open.first[panel] = OpenResults::none;
    const std::size_t x = panel * pair_panel_columns;
    write_panel(workspace, columns.packed + panel * pitch, columns.zeros + x, columns.scales + x, columns.sums);
    while (next != OpenResults::none) {
      alignas(vector_bytes) float products[most_rows_again][pair_panel_columns] = {};
      const OpenResults::Entry* entries[most_rows_again];
      const std::byte* at[most_rows_again];
      std::size_t count = 0;
      for (; count < most_rows_again && next != OpenResults::none; ++count) {
        entries[count] = &open.entries[next];
        at[count] = rows[entries[count]->row];
        next = entries[count]->next;
      }
      auto* const result = reinterpret_cast<std::byte*>(products);
      for (std::size_t done = 0; done < columns.sums; done += tile_depth) {
        const Rows some{at, count, 1, 0, static_cast<std::ptrdiff_t>(done * sizeof(float))};
        write({result, panel_bytes, done > 0}, some, {workspace + done * panel_bytes, 0, step, pair_panel_columns},
              std::min(tile_depth, columns.sums - done));
      }
      float sums[most_rows_again];
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t column = entries[i]->column;
        sums[i] = products[i][column - x];
        if (columns.biases != nullptr) sums[i] += columns.biases[column];
      }
      auto* const numbers = reinterpret_cast<std::byte*>(sums);
      const std::byte* const from[] = {numbers, bytes_of(constants[0]), bytes_of(constants[1]), bytes_of(constants[2]),
                                       bytes_of(constants[3])};
      quantize_and_dequantize(numbers, from, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = entries[i]->row * columns.columns + entries[i]->column;
        std::memcpy(to + place * sizeof(float), sums + i, sizeof(float));
      }
    }
  }
  open.count = 0;
}

}  // namespace broadloom
