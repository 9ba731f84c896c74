// Loops over contiguous elements: their form, and how they end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/base/simd.h"

namespace broadloom {

// Writes `count` elements, each made of those at the same place of the operands. No alignment is asked for. `to` may be the
// first operand unless elements get larger, or not overlap any.
using InnerLoop = void (*)(std::byte* to, const std::byte* const* from, std::size_t count);

// The number of elements that are gathered or converted at a time. Elements of 8 bytes then take 4 KiB, which stay in the
// first-level cache.
inline constexpr std::size_t block_items = 512;

// The form of a loop. The sizes are the bytes of an element.
struct LoopShape {
  std::uint8_t operands;
  std::uint8_t from_size;
  std::uint8_t to_size;
  std::uint8_t step;  // elements that one step of the loop takes: 128 bytes at most
};

// The end of a loop: the elements from `done` on, which do not fill its vectors, are padded with zeros and go through the loop.
void finish(InnerLoop loop, LoopShape shape, std::byte* to, const std::byte* const* from, std::size_t done, std::size_t count);

// Elements of T's size from one or two of T.
template <class T, class Op>
void unary(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<T>;
  const std::byte* x = from[0];
  std::size_t i = 0;
  for (; i + step <= count; i += step) store_lanes(to + i * sizeof(T), Op::of(load_lanes<T>(x + i * sizeof(T))));
  finish(unary<T, Op>, {1, sizeof(T), sizeof(T), step}, to, from, i, count);
}

// A loop with several vectors in a step, for operations that take no longer than counting the steps.
template <class T, class Op, std::size_t... vector>
void binary_vectors(std::byte* to, const std::byte* a, const std::byte* b, std::index_sequence<vector...>) {
  (store_lanes(to + vector * vector_bytes,
               Op::of(load_lanes<T>(a + vector * vector_bytes), load_lanes<T>(b + vector * vector_bytes))),
   ...);
}
template <class T, class Op, std::size_t vectors = 1>
void binary(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = vectors * lanes_of<T>;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const std::size_t at = i * sizeof(T);
    binary_vectors<T, Op>(to + at, from[0] + at, from[1] + at, std::make_index_sequence<vectors>());
  }
  finish(binary<T, Op, vectors>, {2, sizeof(T), sizeof(T), step}, to, from, i, count);
}

}  // namespace broadloom
