#include "kernels/products/settle.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/base/simd.h"
#include "kernels/elementwise/quantize.h"
#include "kernels/movement/planes.h"
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

// The weight of product `k` of a sum: the additions of its part from its own on, one for each part of the sum, three roundings
// of its factors and its own, and one for what is left of their products.
float roundings(std::size_t k, std::size_t sums) {
  const std::size_t parts = (sums + tile_depth - 1) / tile_depth;
  return static_cast<float>(tile_depth - k % tile_depth + parts + 4);
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
  // Less than a half: quotients of at most 256 have five roundings of their own here and in float32, and this comparison three.
  const Floats most = Floats{} + 0x1.FFCp-2F;
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

// Elements `i` and, in turn, `i + 1` of pairs of vectors.
template <std::size_t i>
[[gnu::always_inline]] inline Floats interleaved(const Floats& a, const Floats& b) {
  return __builtin_shufflevector(a, b, i, 4 + i, i + 1, 5 + i);
}

// The products of four elements of four rows and columns: vector i has those of element i.
struct FourProducts {
  Floats of[four_floats];

  [[gnu::always_inline]] FourProducts(const float* const* a, const float* const* b, std::size_t k) {
    const auto product = [&](std::size_t i) { return load_floats(a[i] + k) * load_floats(b[i] + k); };
    const Floats p[] = {product(0), product(1), product(2), product(3)};
    const Floats low[] = {interleaved<0>(p[0], p[1]), interleaved<0>(p[2], p[3])};
    const Floats high[] = {interleaved<2>(p[0], p[1]), interleaved<2>(p[2], p[3])};
    of[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);
    of[1] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);
    of[2] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);
    of[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);
  }
};

// Float32 products of four rows and columns, in the order of kernels/products/matmul.h.
Floats multiply_four(const float* const* a, const float* const* b, std::size_t sums) {
  Floats result{};
  for (std::size_t done = 0; done < sums; done += tile_depth) {
    const std::size_t end = std::min(sums, done + tile_depth);
    Floats sum{};
    std::size_t k = done;
    for (; k + four_floats <= end; k += four_floats) {
      const FourProducts products(a, b, k);
      sum += products.of[0];
      sum += products.of[1];
      sum += products.of[2];
      sum += products.of[3];
    }
    for (; k < end; ++k) sum += Floats{a[0][k] * b[0][k], a[1][k] * b[1][k], a[2][k] * b[2][k], a[3][k] * b[3][k]};
    result = done == 0 ? sum : result + sum;
  }
  return result;
}

// Writes the numbers of a column's elements, with room for a multiple of 16.
template <std::size_t... quarter>
void write_numbers(float* to, const std::byte* from, std::size_t count, float zero, float scale,
                   std::index_sequence<quarter...>) {
  for (std::size_t k = 0; k < count; k += vector_bytes) {
    const Vector bytes = load(from + k);
    const Vector halves[] = {extended<std::int16_t, std::int8_t, 0>(bytes), extended<std::int16_t, std::int8_t, 1>(bytes)};
    (store_lanes(reinterpret_cast<std::byte*>(to + k + quarter * four_floats),
                 (half_of<quarter % 2>(halves[quarter / 2]) - zero) * scale),
     ...);
  }
}

constexpr std::size_t padded(std::size_t elements) { return whole_vectors(elements + 1); }

}  // namespace

Count Settling::workspace_bytes(std::size_t sums) {
  return whole_vectors(Count(sums) + 1) * (pair_panel_columns * (1 + sizeof(float)));
}

void Settling::sum_again(std::byte* to, const std::byte* const* rows, const GridColumns& columns, OpenResults& open,
                         std::byte* workspace) const {
  const std::size_t length = padded(columns.sums);
  const std::size_t pairs = pairs_of(columns.sums);
  auto* const numbers = reinterpret_cast<float*>(workspace + pair_panel_columns * length);
  const std::size_t panels = (columns.columns + pair_panel_columns - 1) / pair_panel_columns;
  const PlaneTranspose transpose({pair_panel_columns, pairs, static_cast<std::ptrdiff_t>(length), pair_panel_step, 2}, 2);
  const Floats constants[] = {Floats{} + divisor, Floats{} + least, Floats{} + greatest, Floats{} + factor};
  const auto* const bytes = reinterpret_cast<const std::byte*>(constants);
  for (std::size_t panel = 0; panel < panels && open.count > 0; ++panel) {
    std::uint32_t next = open.first[panel];
    if (next == OpenResults::none) continue;
    open.first[panel] = OpenResults::none;
    transpose(workspace, columns.packed + panel * pairs * pair_panel_step);
    bool is_written[pair_panel_columns] = {};
    while (next != OpenResults::none) {
      const OpenResults::Entry* entries[four_floats];
      const float* a[four_floats];
      const float* b[four_floats];
      Floats biases{};
      std::size_t some = 0;
      for (std::size_t i = 0; i < four_floats; ++i) {
        // Results that are not there are the last one once more.
        if (next != OpenResults::none) {
          entries[some++] = &open.entries[next];
          next = open.entries[next].next;
        }
        const OpenResults::Entry& entry = *entries[some - 1];
        const std::size_t place = entry.column % pair_panel_columns;
        a[i] = reinterpret_cast<const float*>(rows[entry.row]);
        b[i] = numbers + place * length;
        if (columns.biases != nullptr) biases[i] = columns.biases[entry.column];
        if (!is_written[place]) {
          write_numbers(numbers + place * length, workspace + place * length, columns.sums,
                        static_cast<float>(columns.zeros[entry.column]), columns.scales[entry.column],
                        std::make_index_sequence<4>());
        }
        is_written[place] = true;
      }
      Floats sums = multiply_four(a, b, columns.sums);
      if (columns.biases != nullptr) sums += biases;
      auto* const result = reinterpret_cast<std::byte*>(&sums);
      const std::byte* const from[] = {result, bytes, bytes + vector_bytes, bytes + 2 * vector_bytes, bytes + 3 * vector_bytes};
      quantize_and_dequantize(result, from, four_floats);
      for (std::size_t i = 0; i < some; ++i) {
        const std::size_t place = entries[i]->row * columns.columns + entries[i]->column;
        std::memcpy(to + place * sizeof(float), result + i * sizeof(float), sizeof(float));
      }
    }
  }
  open.count = 0;
}

}  // namespace broadloom
