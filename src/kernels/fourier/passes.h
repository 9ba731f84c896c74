// Transforms of lanes: each lane has a signal of its own. A pass splits every transform into smaller ones (Stockham's form,
// which leaves the results in order).
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/base/simd.h"

namespace broadloom::fourier {

// A complex number, or a vector of them.
template <class V>
struct Complex {
  V re;
  V im;
};
template <class V>
Complex<V> operator+(const Complex<V>& a, const Complex<V>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V>
Complex<V> operator-(const Complex<V>& a, const Complex<V>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class V, class W>
Complex<V> operator*(const Complex<V>& a, const Complex<W>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class V, class T>
Complex<V> scaled(const Complex<V>& a, T factor) {
  return {a.re * factor, a.im * factor};
}
// Times -i.
template <class V>
Complex<V> turned(const Complex<V>& a) {
  return {a.im, -a.re};
}
template <class V>
Complex<V> conjugate(const Complex<V>& a) {
  return {a.re, -a.im};
}

// Complex numbers in memory, real and imaginary parts in turns. In `swapped` ones these change places: the transform of
// swapped numbers is the inverse transform, swapped.
template <class V>
struct Interleaved {
  V* re;
  V* im;

  explicit Interleaved(V* at, bool swapped = false) : re(at + (swapped ? 1 : 0)), im(at + (swapped ? 0 : 1)) {}
  Complex<V> at(std::size_t i) const { return {re[2 * i], im[2 * i]}; }
  void set(std::size_t i, const Complex<V>& value) const {
    re[2 * i] = value.re;
    im[2 * i] = value.im;
  }
};

// A transform's length and its roots of unity: each `step`-th of a table.
template <class T>
struct Roots {
  const T* table;
  std::size_t step;

  Complex<T> at(std::size_t i) const { return {table[2 * i * step], table[2 * i * step + 1]}; }
};

// The transform of two to five numbers, in place.
template <std::size_t radix, class V>
[[gnu::always_inline]] inline void butterfly(Complex<V>* a) {
  using T = decltype(V{}[0] + V{}[0]);
  if constexpr (radix == 2) {
    const auto sum = a[0] + a[1];
    a[1] = a[0] - a[1];
    a[0] = sum;
  } else if constexpr (radix == 3) {
    constexpr auto sine = static_cast<T>(0.8660254037844386);
    const auto sum = a[1] + a[2];
    const auto turn = scaled(turned(a[1] - a[2]), sine);
    const auto middle = a[0] - scaled(sum, static_cast<T>(0.5));
    a[0] = a[0] + sum;
    a[1] = middle + turn;
    a[2] = middle - turn;
  } else if constexpr (radix == 4) {
    const auto even = a[0] + a[2];
    const auto even_turn = a[0] - a[2];
    const auto odd = a[1] + a[3];
    const auto odd_turn = turned(a[1] - a[3]);
    a[0] = even + odd;
    a[1] = even_turn + odd_turn;
    a[2] = even - odd;
    a[3] = even_turn - odd_turn;
  } else {
    constexpr auto c1 = static_cast<T>(0.30901699437494745);
    constexpr auto c2 = static_cast<T>(-0.8090169943749475);
    constexpr auto s1 = static_cast<T>(0.9510565162951535);
    constexpr auto s2 = static_cast<T>(0.5877852522924731);
    const auto outer = a[1] + a[4];
    const auto inner = a[2] + a[3];
    const auto outer_turn = turned(a[1] - a[4]);
    const auto inner_turn = turned(a[2] - a[3]);
    const auto first = a[0] + (scaled(outer, c1) + scaled(inner, c2));
    const auto second = a[0] + (scaled(outer, c2) + scaled(inner, c1));
    const auto first_turn = scaled(outer_turn, s1) + scaled(inner_turn, s2);
    const auto second_turn = scaled(outer_turn, s2) - scaled(inner_turn, s1);
    a[0] = a[0] + (outer + inner);
    a[1] = first + first_turn;
    a[2] = second + second_turn;
    a[3] = second - second_turn;
    a[4] = first - first_turn;
  }
}

// Splits `blocks` transforms, whose elements are interleaved, into `radix` * `blocks` transforms of length `parts`. Its numbers
// are named one by one, since compilers that do not unroll loops would keep them in memory: that takes 1.3 times as long.
template <std::size_t radix, class V, class T, std::size_t... i>
void pass(const Interleaved<V>& to, const Interleaved<V>& from, std::size_t blocks, std::size_t parts, const Roots<T>& roots,
          std::index_sequence<i...> /*number*/) {
  for (std::size_t part = 0; part < parts; ++part) {
    const auto each = [&](auto factor) {
      for (std::size_t block = 0; block < blocks; ++block) {
        Complex<V> a[] = {from.at(block + blocks * (part + parts * i))...};
        butterfly<radix>(a);
        (to.set(block + blocks * (part * radix + i), factor(a[i], i)), ...);
      }
    };
    if (part == 0) {
      each([](const Complex<V>& number, std::size_t /*i*/) { return number; });
    } else {
      const Complex<T> factors[] = {roots.at(part * i * blocks)...};
      each([&](const Complex<V>& number, std::size_t k) { return k == 0 ? number : number * factors[k]; });
    }
  }
}
template <std::size_t radix, class V, class T>
void pass(const Interleaved<V>& to, const Interleaved<V>& from, std::size_t blocks, std::size_t parts, const Roots<T>& roots) {
  pass<radix>(to, from, blocks, parts, roots, std::make_index_sequence<radix>());
}

// A pass of any radix, which has no butterfly of its own.
template <class V, class T>
void pass_of(std::size_t radix, const Interleaved<V>& to, const Interleaved<V>& from, std::size_t blocks, std::size_t parts,
             const Roots<T>& roots) {
  const std::size_t step = blocks * parts;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block + blocks * part;
      for (std::size_t k = 0; k < radix; ++k) {
        Complex<V> sum = from.at(first);
        for (std::size_t i = 1; i < radix; ++i) sum = sum + from.at(first + step * i) * roots.at(i * k % radix * step);
        to.set(block + blocks * (part * radix + k), sum * roots.at(part * k * blocks));
      }
    }
  }
}

// The least prime factor of a length above 1 that has passes, or the length if none has.
constexpr std::size_t factor_of(std::size_t length) {
  constexpr std::size_t most = 13;
  std::size_t factor = 2;
  while (length % factor != 0 && factor <= most) ++factor;
  return factor <= most ? factor : length;
}

// Whether there are passes for a length: its prime factors are 13 at most.
constexpr bool has_passes(std::size_t length) {
  for (std::size_t factor = 1; length > 1; length /= factor) {
    factor = factor_of(length);
    if (factor == length && length > 13) return false;
  }
  return true;
}

// Transforms lanes of floats, or one signal of doubles. Returns which of the two buffers has the results. The other one has
// lost its elements.
template <class V, class T>
V* transform_lanes(V* data, V* spare, std::size_t length, const Roots<T>& roots, bool swapped) {
  std::size_t blocks = 1;
  while (length > 1) {
    const Interleaved<V> from(data, swapped);
    const Interleaved<V> to(spare, swapped);
    std::size_t radix = factor_of(length);
    if constexpr (std::is_same_v<T, float>) {
      if (length % 4 == 0) radix = 4;
      if (length % 5 == 0) radix = 5;
      const std::size_t parts = length / radix;
      if (radix == 5) {
        pass<5>(to, from, blocks, parts, roots);
      } else if (radix == 4) {
        pass<4>(to, from, blocks, parts, roots);
      } else if (radix == 3) {
        pass<3>(to, from, blocks, parts, roots);
      } else if (radix == 2) {
        pass<2>(to, from, blocks, parts, roots);
      } else {
        pass_of(radix, to, from, blocks, parts, roots);
      }
    } else {
      pass_of(radix, to, from, blocks, length / radix, roots);
    }
    blocks *= radix;
    length /= radix;
    std::swap(data, spare);
  }
  return data;
}

}  // namespace broadloom::fourier
