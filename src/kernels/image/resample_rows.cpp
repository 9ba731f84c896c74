#include "kernels/image/resample_rows.h"

#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"

namespace broadloom::image {

namespace {

using Sums = Lanes<std::uint32_t>;

// Sums of products with the halves of weights. They may wrap around: the sum of both fits into int32.
struct HalfSums {
  Sums high = {};
  Sums low = {};

  void add(const Vector& pairs, const Vector& high_weights, const Vector& low_weights) {
    high += dot_pairs(pairs, high_weights);
    low += dot_pairs(pairs, low_weights);
  }
  Sums total() const { return (high << FilterTaps::low_bits) + low; }
};

const Lanes<std::int32_t> no_pixel = {};
constexpr std::uint32_t half = 1U << (FilterTaps::fraction_bits - 1);

Lanes<std::int32_t> rounded(const Sums& sums) { return as<Lanes<std::int32_t>>(sums + half) >> FilterTaps::fraction_bits; }

// Lanes that put two neighbours of four bytes side by side, as eight int16: the first and the second pair of a vector.
constexpr std::uint8_t none = 0x80;
alignas(16) constexpr std::uint8_t first_pair[] = {0, none, 4, none, 1, none, 5, none, 2, none, 6, none, 3, none, 7, none};
alignas(16) constexpr std::uint8_t second_pair[] = {8,  none, 12, none, 9,  none, 13, none,
                                                    10, none, 14, none, 11, none, 15, none};

Vector lanes(const std::uint8_t (&numbers)[16]) { return load(reinterpret_cast<const std::byte*>(numbers)); }

// The weights of a pair of pixels, for every lane.
Vector pair_at(const std::byte* weights, std::size_t pixel) { return splat<4>(weights + pixel * sizeof(std::int16_t)); }

Lanes<std::int32_t> filtered_pixel(const std::byte* from, const FilterTaps& taps, std::size_t i) {
  const auto [first, count] = taps.of(i);
  const std::byte* const pixels = from + first * 4;
  const std::byte* const high = taps.high(i);
  const std::byte* const low = taps.low(i);
  const Vector first_lanes = lanes(first_pair);
  const Vector second_lanes = lanes(second_pair);
  HalfSums sums;
  HalfSums more;
  std::size_t k = 0;
  for (; k + 2 < count; k += 4) {
    const Vector four = load(pixels + k * 4);
    sums.add(shuffle(four, first_lanes), pair_at(high, k), pair_at(low, k));
    more.add(shuffle(four, second_lanes), pair_at(high, k + 2), pair_at(low, k + 2));
  }
  if (k < count) sums.add(shuffle(load(pixels + k * 4), first_lanes), pair_at(high, k), pair_at(low, k));
  return rounded(sums.total() + more.total());
}

void filter_pixels(std::byte* to, const std::byte* from, const FilterTaps& taps) {
  std::size_t i = 0;
  for (; i + 4 <= taps.count(); i += 4) {
    store(to + i * 4, saturated_bytes(filtered_pixel(from, taps, i), filtered_pixel(from, taps, i + 1),
                                      filtered_pixel(from, taps, i + 2), filtered_pixel(from, taps, i + 3)));
  }
  for (; i < taps.count(); ++i) {
    const Vector pixel = saturated_bytes(filtered_pixel(from, taps, i), no_pixel, no_pixel, no_pixel);
    std::memcpy(to + i * 4, &pixel, 4);
  }
}

// Eight bytes as int16.
Vector load_eight(const std::byte* from) { return extended<std::uint16_t, std::uint8_t, 0>(splat<8>(from)); }

void filter_bytes(std::byte* to, const std::byte* from, const FilterTaps& taps) {
  for (std::size_t i = 0; i < taps.count(); ++i) {
    const auto [first, count] = taps.of(i);
    HalfSums sums;
    for (std::size_t k = 0; k < count; k += 8) {
      sums.add(load_eight(from + first + k), load(taps.high(i) + k * 2), load(taps.low(i) + k * 2));
    }
    const Sums total = sums.total();
    const Vector pixel =
        saturated_bytes(rounded(Sums{total[0] + total[1] + total[2] + total[3]}), no_pixel, no_pixel, no_pixel);
    std::memcpy(to + i, &pixel, 1);
  }
}

// The bytes of two vectors in turns: those of their first or their last halves.
template <std::size_t begin, std::size_t... i>
Vector in_turns(const Vector& a, const Vector& b, std::index_sequence<i...>) {
  return shuffle(a, b, std::index_sequence<(begin + i / 2 + i % 2 * vector_bytes)...>());
}
template <std::size_t begin>
Vector in_turns(const Vector& a, const Vector& b) {
  return in_turns<begin>(a, b, std::make_index_sequence<vector_bytes>());
}

// Sixteen bytes of the weighted sum.
Vector filtered_vector(const std::byte* const* rows, std::size_t at, const FilterTaps& taps, std::size_t i) {
  const std::size_t count = taps.of(i).count;
  HalfSums sums[4];
  for (std::size_t k = 0; k < count; k += 2) {
    const Vector a = load(rows[k] + at);
    const Vector b = load(rows[k + 1 < count ? k + 1 : k] + at);  // whose weight is 0
    const Vector first = in_turns<0>(a, b);
    const Vector last = in_turns<8>(a, b);
    const Vector high = pair_at(taps.high(i), k);
    const Vector low = pair_at(taps.low(i), k);
    sums[0].add(extended<std::uint16_t, std::uint8_t, 0>(first), high, low);
    sums[1].add(extended<std::uint16_t, std::uint8_t, 1>(first), high, low);
    sums[2].add(extended<std::uint16_t, std::uint8_t, 0>(last), high, low);
    sums[3].add(extended<std::uint16_t, std::uint8_t, 1>(last), high, low);
  }
  return saturated_bytes(rounded(sums[0].total()), rounded(sums[1].total()), rounded(sums[2].total()),
                         rounded(sums[3].total()));
}

// Two pixels, which may not lie side by side, as a pair for each of four lanes.
Vector pair_of(const std::byte* from, const LinearTap& tap) {
  std::byte pixels[vector_bytes] = {};
  std::memcpy(pixels, from + in_memory(tap.first) * 4, 4);
  std::memcpy(pixels + 4, from + in_memory(tap.second) * 4, 4);
  return shuffle(load(pixels), lanes(first_pair));
}

}  // namespace

void filter_row(std::byte* to, const std::byte* from, const FilterTaps& taps, std::size_t pixel_bytes) {
  pixel_bytes == 4 ? filter_pixels(to, from, taps) : filter_bytes(to, from, taps);
}

void filter_rows(std::byte* to, const std::byte* const* rows, const FilterTaps& taps, std::size_t i, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += vector_bytes) store(to + at, filtered_vector(rows, at, taps, i));
}

void mix_row(std::byte* to, const std::byte* from, std::span<const LinearTap> taps, std::size_t pixel_bytes) {
  if (pixel_bytes == 4) {
    for (const LinearTap& tap : taps) {
      const Vector weights = splat<4>(reinterpret_cast<const std::byte*>(tap.weights));
      store_lanes(to, dot_pairs(pair_of(from, tap), weights));
      to += vector_bytes;
    }
    return;
  }
  for (const LinearTap& tap : taps) {
    const std::int32_t sum = std::to_integer<std::int32_t>(from[tap.first]) * tap.weights[0] +
                             std::to_integer<std::int32_t>(from[tap.second]) * tap.weights[1];
    std::memcpy(to, &sum, sizeof sum);
    to += sizeof sum;
  }
}

void mix_rows(std::byte* to, const std::byte* first, const std::byte* second, const LinearTap& tap, std::size_t bytes) {
  const auto mixed = [&](std::size_t at) {
    const auto part = [&](const std::byte* row, std::int32_t weight) {
      // Products are unsigned: numbers after the row's end may be anything, and signed overflow would be undefined.
      const auto sums = as<Sums>(load_lanes<std::int32_t>(row + at * sizeof(std::int32_t)) >> 4);
      return as<Lanes<std::int32_t>>(sums * static_cast<std::uint32_t>(weight)) >> 16;
    };
    return (part(first, tap.weights[0]) + part(second, tap.weights[1]) + 2) >> 2;
  };
  for (std::size_t at = 0; at < bytes; at += vector_bytes) {
    store(to + at, saturated_bytes(mixed(at), mixed(at + 4), mixed(at + 8), mixed(at + 12)));
  }
}

void choose_pixels(std::byte* to, const std::byte* from, std::span<const std::int32_t> positions, std::size_t pixel_bytes) {
  const auto choose = [&]<std::size_t size>() {
    for (const std::int32_t position : positions) {
      std::memcpy(to, from + in_memory(position) * size, size);
      to += size;
    }
  };
  pixel_bytes == 4 ? choose.operator()<4>() : choose.operator()<1>();
}

}  // namespace broadloom::image
