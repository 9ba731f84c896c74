// Squares of units transposed in registers.
#pragma once

#include "kernels/base/simd.h"

namespace broadloom {

// A square of units of vector_bytes / `side` bytes: `side` vectors of `side` units each.
template <std::size_t side>
struct Square {
  Vector rows[side];
};

// Units of the first (`half` 0) or last (1) halves of two vectors, in turns. Byte i is lane interleaved_lane(i).
constexpr std::size_t interleaved_lane(std::size_t byte, std::size_t unit, std::size_t half) {
  const std::size_t number = byte / unit;
  return number % 2 * vector_bytes + half * (vector_bytes / 2) + number / 2 * unit + byte % unit;
}

template <std::size_t unit, std::size_t half, std::size_t... byte>
Vector interleave(Vector first, Vector second, std::index_sequence<byte...>) {
  return shuffle(first, second, std::index_sequence<interleaved_lane(byte, unit, half)...>());
}

// A perfect shuffle of all units rotates the bits of their numbers by one. After one round for each bit of `rounds`, vectors
// and units have changed places: the rows of a square have become its columns.
template <std::size_t unit, std::size_t rounds, std::size_t side, std::size_t... number>
[[gnu::always_inline]] inline Square<side> shuffle_units(const Square<side>& square, std::index_sequence<number...> numbers) {
  if constexpr (rounds == 1) {
    return square;
  } else {
    constexpr std::make_index_sequence<vector_bytes> bytes;
    return shuffle_units<unit, rounds / 2>(
        Square<side>{{interleave<unit, number % 2>(square.rows[number / 2], square.rows[number / 2 + side / 2], bytes)...}},
        numbers);
  }
}

template <std::size_t side>
[[gnu::always_inline]] inline Square<side> transposed(const Square<side>& square) {
  return shuffle_units<vector_bytes / side, side>(square, std::make_index_sequence<side>());
}

}  // namespace broadloom
