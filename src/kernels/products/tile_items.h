// The elements of tiles of products: how they are loaded, widened and multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/base/simd.h"

namespace broadloom {

// How items are loaded from half a panel's row, and multiplied.
template <class T>
struct Item {
  using Sum = T;
  static constexpr std::size_t half = vector_bytes;
  static Lanes<T> load(const std::byte* from) { return load_lanes<T>(from); }
  static Lanes<T> splat(const std::byte* from) { return as<Lanes<T>>(broadloom::splat<sizeof(T)>(from)); }
  static Lanes<T> multiply(const Lanes<T>& a, const Lanes<T>& b) { return a * b; }
};
// Two elements: int16 in a row, int8 in a panel.
struct Pair {
  std::int16_t elements[2];
};
template <>
struct Item<Pair> {
  using Sum = std::uint32_t;
  [[maybe_unused]] static constexpr std::size_t half = vector_bytes / 2;
  static Vector load(const std::byte* from) { return load_widened(from); }
  static Vector splat(const std::byte* from) { return broadloom::splat<sizeof(Pair)>(from); }
  static Lanes<Sum> multiply(const Vector& a, const Vector& b) { return dot_pairs(a, b); }
};
// A float in a row, times 2^112; float16 in a panel, without infinities and NaNs.
struct Half {
  float element;
};
template <>
struct Item<Half> : Item<float> {
  static constexpr std::size_t half = vector_bytes / 2;
  static Lanes<float> load(const std::byte* from) {
    const auto bits = as<Lanes<std::uint32_t>>(extended<std::int32_t, std::int16_t, 0>(broadloom::splat<half>(from)));
    return as<Lanes<float>>((bits << 13) & 0x8FFFFFFFU);  // the number, over 2^112
  }
};
// A float in a row, bfloat16 in a panel.
struct Brain {
  float element;
};
template <>
struct Item<Brain> : Item<float> {
  static constexpr std::size_t half = vector_bytes / 2;
  static Lanes<float> load(const std::byte* from) {
    return as<Lanes<float>>(as<Lanes<std::uint32_t>>(extended<std::int32_t, std::int16_t, 0>(broadloom::splat<half>(from)))
                            << 16);
  }
};
template <class T>
using SumOf = typename Item<T>::Sum;

template <class T, std::size_t rows, std::size_t panels>
struct Sums {
  Lanes<SumOf<T>> left[rows * panels] = {};
  Lanes<SumOf<T>> right[rows * panels] = {};
};

// Adds the products of element `k` of each row with the row of each panel.
template <class T, std::size_t k, std::size_t rows, std::size_t... panel, std::size_t... row>
[[gnu::always_inline]] inline void add_products(Sums<T, rows, sizeof...(panel)>& sums, const std::byte* const* a,
                                                const std::byte* const* b, std::index_sequence<panel...>,
                                                std::index_sequence<row...>) {
  constexpr std::size_t panels = sizeof...(panel);
  using It = Item<T>;
  const decltype(It::load(nullptr)) left[] = {It::load(b[panel])...};
  const decltype(It::load(nullptr)) right[] = {It::load(b[panel] + It::half)...};
  const auto add = [&](std::size_t i, const auto& factor) {
    ((sums.left[i * panels + panel] += It::multiply(factor, left[panel]),
      sums.right[i * panels + panel] += It::multiply(factor, right[panel])),
     ...);
  };
  (add(row, It::splat(a[row] + k * sizeof(T))), ...);
}

}  // namespace broadloom
