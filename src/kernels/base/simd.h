// Sixteen bytes at a time: wasm SIMD where it is compiled for, and a twin of plain C++ with the same behaviour, so that
// the kernels run natively under sanitizers. The only file with intrinsics.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace broadloom {

inline constexpr std::size_t vector_bytes = 16;

// The bytes of as many whole vectors.
template <class Size>
constexpr Size whole_vectors(Size bytes) {
  return (bytes + (vector_bytes - 1)) / vector_bytes * vector_bytes;
}
// Whether a vector holds whole blocks of `block_bytes` bytes.
constexpr bool is_item(std::size_t block_bytes) {
  return block_bytes <= vector_bytes && (block_bytes & (block_bytes - 1)) == 0;
}

#if defined(__wasm_simd128__)

using Vector = v128_t;
inline Vector load(const std::byte* from) { return wasm_v128_load(from); }
inline void store(std::byte* to, Vector vector) { wasm_v128_store(to, vector); }
// Stores the first (0) or last (1) eight bytes of a vector.
template <std::size_t half>
void store_half(std::byte* to, Vector vector) {
  wasm_v128_store64_lane(to, vector, half);
}

// The item at `item`, repeated until the vector is full.
template <std::size_t item_size>
Vector splat(const std::byte* item) {
  if constexpr (item_size == 1) return wasm_v128_load8_splat(item);
  if constexpr (item_size == 2) return wasm_v128_load16_splat(item);
  if constexpr (item_size == 4) return wasm_v128_load32_splat(item);
  if constexpr (item_size == 8) return wasm_v128_load64_splat(item);
  return wasm_v128_load(item);
}

// The vector whose byte i is byte lanes[i] of `vector`. Constant lanes are below 16, and cost one instruction; variable ones
// cost two, and lanes of 16 and above give zero.
template <std::size_t... lanes>
Vector shuffle(Vector vector, std::index_sequence<lanes...>) {
  static_assert(((lanes < vector_bytes) && ...));
  using Bytes = std::uint8_t __attribute__((vector_size(vector_bytes)));
  return static_cast<Vector>(__builtin_shufflevector(static_cast<Bytes>(vector), static_cast<Bytes>(vector), lanes...));
}
inline Vector shuffle(Vector vector, Vector lanes) { return wasm_i8x16_swizzle(vector, lanes); }

// Chooses from the bytes of two vectors: lanes from 16 on are lanes of `second`.
template <std::size_t... lanes>
Vector shuffle(Vector first, Vector second, std::index_sequence<lanes...>) {
  static_assert(((lanes < 2 * vector_bytes) && ...));
  using Bytes = std::uint8_t __attribute__((vector_size(vector_bytes)));
  return static_cast<Vector>(__builtin_shufflevector(static_cast<Bytes>(first), static_cast<Bytes>(second), lanes...));
}

// The bits of `first` where those of `mask` are 1, and of `second` where they are 0.
inline Vector select(Vector mask, Vector first, Vector second) { return wasm_v128_bitselect(first, second, mask); }
// Bytes of 0 or 1 to bytes of no bits or all.
inline Vector mask_of_bools(Vector bools) { return wasm_i8x16_neg(bools); }

// Byte i is i modulo `power`, a power of two.
inline Vector numbers_modulo(std::size_t power) {
  const Vector numbers = wasm_i8x16_const(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return wasm_v128_and(numbers, wasm_i8x16_splat(static_cast<std::int8_t>(power - 1)));
}

#else

struct Vector {
  std::byte bytes[vector_bytes];
};
inline Vector load(const std::byte* from) {
  Vector vector;
  std::memcpy(vector.bytes, from, vector_bytes);
  return vector;
}
inline void store(std::byte* to, Vector vector) { std::memcpy(to, vector.bytes, vector_bytes); }
template <std::size_t half>
void store_half(std::byte* to, const Vector& vector) {
  std::memcpy(to, vector.bytes + half * (vector_bytes / 2), vector_bytes / 2);
}

template <std::size_t item_size>
Vector splat(const std::byte* item) {
  Vector vector;
  for (std::size_t i = 0; i < vector_bytes; i += item_size) std::memcpy(vector.bytes + i, item, item_size);
  return vector;
}

template <std::size_t... lanes>
Vector shuffle(Vector vector, std::index_sequence<lanes...>) {
  static_assert(((lanes < vector_bytes) && ...));
  return {{vector.bytes[lanes]...}};
}
template <std::size_t... lanes>
Vector shuffle(const Vector& first, const Vector& second, std::index_sequence<lanes...>) {
  static_assert(((lanes < 2 * vector_bytes) && ...));
  return {{(lanes < vector_bytes ? first.bytes[lanes] : second.bytes[lanes - vector_bytes])...}};
}
inline Vector shuffle(Vector vector, Vector lanes) {
  Vector result;
  for (std::size_t i = 0; i < vector_bytes; ++i) {
    const auto lane = std::to_integer<std::size_t>(lanes.bytes[i]);
    result.bytes[i] = lane < vector_bytes ? vector.bytes[lane] : std::byte{0};
  }
  return result;
}

inline Vector select(const Vector& mask, const Vector& first, const Vector& second) {
  Vector result;
  for (std::size_t i = 0; i < vector_bytes; ++i) {
    result.bytes[i] = (first.bytes[i] & mask.bytes[i]) | (second.bytes[i] & ~mask.bytes[i]);
  }
  return result;
}
inline Vector mask_of_bools(Vector bools) {
  for (std::byte& byte : bools.bytes) byte = static_cast<std::byte>(-std::to_integer<int>(byte));
  return bools;
}

inline Vector numbers_modulo(std::size_t power) {
  Vector numbers;
  for (std::size_t i = 0; i < vector_bytes; ++i) numbers.bytes[i] = static_cast<std::byte>(i & (power - 1));
  return numbers;
}

#endif

// A vector of elements, with the operators of C++. Integers that may wrap around are computed in unsigned lanes.
template <class T>
struct LanesOf {
  using Type [[gnu::vector_size(vector_bytes)]] = T;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

template <class T>
inline constexpr std::size_t lanes_of = vector_bytes / sizeof(T);

// The bits of a vector in other lanes.
template <class To, class From>
To as(const From& from) {
  static_assert(sizeof(To) == vector_bytes && sizeof(From) == vector_bytes);
  To to;
  std::memcpy(&to, &from, vector_bytes);
  return to;
}

template <class T>
Lanes<T> load_lanes(const std::byte* from) {
  return as<Lanes<T>>(load(from));
}
template <class T>
void store_lanes(std::byte* to, const T& lanes) {
  store(to, as<Vector>(lanes));
}

// A mask of the lanes that are NaN, which alone differs from itself.
template <class Floats>
auto nan_mask(const Floats& x) {
  return x != x;  // NOLINT(misc-redundant-expression)
}

// `a` where all bits of the mask's lane are set, `b` where none is.
template <class T, class Mask>
T select(const Mask& mask, const T& a, const T& b) {
  return as<T>((as<Mask>(a) & mask) | (as<Mask>(b) & ~mask));
}

// Square root; rounding down, up and to nearest (ties to even); the smaller and the larger of two, which are NaN where one is,
// and take -0 to be below 0.
#if defined(__wasm_simd128__)

inline Lanes<float> sqrt(Lanes<float> x) { return as<Lanes<float>>(wasm_f32x4_sqrt(as<Vector>(x))); }
inline Lanes<float> floor(Lanes<float> x) { return as<Lanes<float>>(wasm_f32x4_floor(as<Vector>(x))); }
inline Lanes<float> ceil(Lanes<float> x) { return as<Lanes<float>>(wasm_f32x4_ceil(as<Vector>(x))); }
inline Lanes<float> nearest(Lanes<float> x) { return as<Lanes<float>>(wasm_f32x4_nearest(as<Vector>(x))); }
inline Lanes<float> min(Lanes<float> a, Lanes<float> b) {
  return as<Lanes<float>>(wasm_f32x4_min(as<Vector>(a), as<Vector>(b)));
}
inline Lanes<float> max(Lanes<float> a, Lanes<float> b) {
  return as<Lanes<float>>(wasm_f32x4_max(as<Vector>(a), as<Vector>(b)));
}
inline Lanes<double> sqrt(Lanes<double> x) { return as<Lanes<double>>(wasm_f64x2_sqrt(as<Vector>(x))); }
inline Lanes<double> floor(Lanes<double> x) { return as<Lanes<double>>(wasm_f64x2_floor(as<Vector>(x))); }
inline Lanes<double> ceil(Lanes<double> x) { return as<Lanes<double>>(wasm_f64x2_ceil(as<Vector>(x))); }
inline Lanes<double> nearest(Lanes<double> x) { return as<Lanes<double>>(wasm_f64x2_nearest(as<Vector>(x))); }
inline Lanes<double> min(Lanes<double> a, Lanes<double> b) {
  return as<Lanes<double>>(wasm_f64x2_min(as<Vector>(a), as<Vector>(b)));
}
inline Lanes<double> max(Lanes<double> a, Lanes<double> b) {
  return as<Lanes<double>>(wasm_f64x2_max(as<Vector>(a), as<Vector>(b)));
}

#else

namespace twin {

template <class T, class Function>
T each(T x, Function function) {
  for (std::size_t i = 0; i < vector_bytes / sizeof x[0]; ++i) x[i] = function(x[i]);
  return x;
}
template <class T, class Function>
T each(T a, const T& b, Function function) {
  for (std::size_t i = 0; i < vector_bytes / sizeof a[0]; ++i) {
    const bool has_nan = std::isnan(a[i]) || std::isnan(b[i]);
    a[i] = has_nan ? a[i] + b[i] : function(a[i], b[i]);
  }
  return a;
}

}  // namespace twin

template <class T>
T sqrt(const T& x) {
  return twin::each(x, [](auto value) { return std::sqrt(value); });
}
template <class T>
T floor(const T& x) {
  return twin::each(x, [](auto value) { return std::floor(value); });
}
template <class T>
T ceil(const T& x) {
  return twin::each(x, [](auto value) { return std::ceil(value); });
}
template <class T>
T nearest(const T& x) {
  return twin::each(x, [](auto value) { return std::nearbyint(value); });
}
template <class T>
T min(const T& x, const T& y) {
  return twin::each(x, y, [](auto a, auto b) { return b < a || (b == a && std::signbit(b)) ? b : a; });
}
template <class T>
T max(const T& x, const T& y) {
  return twin::each(x, y, [](auto a, auto b) { return b > a || (b == a && std::signbit(a)) ? b : a; });
}

#endif

// `limit` where x is beyond it, else x, which may be NaN: one instruction, where `min` and `max` are many.
#if defined(__wasm_simd128__)
inline Lanes<float> at_most(Lanes<float> x, Lanes<float> limit) {
  return as<Lanes<float>>(wasm_f32x4_pmin(as<Vector>(x), as<Vector>(limit)));
}
inline Lanes<float> at_least(Lanes<float> x, Lanes<float> limit) {
  return as<Lanes<float>>(wasm_f32x4_pmax(as<Vector>(x), as<Vector>(limit)));
}
inline Lanes<double> at_most(Lanes<double> x, Lanes<double> limit) {
  return as<Lanes<double>>(wasm_f64x2_pmin(as<Vector>(x), as<Vector>(limit)));
}
inline Lanes<double> at_least(Lanes<double> x, Lanes<double> limit) {
  return as<Lanes<double>>(wasm_f64x2_pmax(as<Vector>(x), as<Vector>(limit)));
}
#else
template <class T>
T at_most(const T& x, const T& limit) {
  return select(limit < x, limit, x);
}
template <class T>
T at_least(const T& x, const T& limit) {
  return select(x < limit, limit, x);
}
#endif

// Whether a bit is set anywhere.
template <class Mask>
bool any(const Mask& mask) {
#if defined(__wasm_simd128__)
  return wasm_v128_any_true(as<Vector>(mask));
#else
  const auto words = as<Lanes<std::uint64_t>>(mask);
  return (words[0] | words[1]) != 0;
#endif
}

// `first_halves` returns the first half of each lane of `size` bytes of two vectors. `extended` returns the half number `half`
// of a vector's lanes of `From`, each as a lane of `Wide`, which is twice as large. Shuffles could do both, but engines have no
// single instruction for such shuffles.
#if defined(__wasm_simd128__)
template <std::size_t size>
Vector first_halves(Vector first, Vector second) {
  if constexpr (size == 2) {
    const Vector mask = wasm_i16x8_const_splat(0xFF);
    return wasm_u8x16_narrow_i16x8(wasm_v128_and(first, mask), wasm_v128_and(second, mask));
  } else if constexpr (size == 4) {
    const Vector mask = wasm_i32x4_const_splat(0xFFFF);
    return wasm_u16x8_narrow_i32x4(wasm_v128_and(first, mask), wasm_v128_and(second, mask));
  } else if constexpr (size == 8) {
    return wasm_i32x4_shuffle(first, second, 0, 2, 4, 6);
  } else {
    return wasm_i64x2_shuffle(first, second, 0, 2);
  }
}
template <class Wide, class From, std::size_t half, std::size_t... lane>
Vector extended(Vector vector, std::index_sequence<lane...>) {
  const auto lanes = static_cast<Lanes<From>>(vector);
  constexpr std::size_t first = half * sizeof...(lane);
  return static_cast<Vector>(__builtin_convertvector(__builtin_shufflevector(lanes, lanes, (first + lane)...), Lanes<Wide>));
}
#else
template <std::size_t size, std::size_t... byte>
Vector first_halves(const Vector& first, const Vector& second, std::index_sequence<byte...>) {
  return shuffle(first, second, std::index_sequence<(byte / (size / 2) * size + byte % (size / 2))...>());
}
template <std::size_t size>
Vector first_halves(const Vector& first, const Vector& second) {
  return first_halves<size>(first, second, std::make_index_sequence<vector_bytes>());
}
template <class Wide, class From, std::size_t half, std::size_t... lane>
Vector extended(const Vector& vector, std::index_sequence<lane...>) {
  const auto lanes = as<Lanes<From>>(vector);
  return as<Vector>(Lanes<Wide>{static_cast<Wide>(lanes[half * sizeof...(lane) + lane])...});
}
#endif
template <class Wide, class From, std::size_t half>
Vector extended(const Vector& vector) {
  return extended<Wide, From, half>(vector, std::make_index_sequence<lanes_of<Wide>>());
}

// The first two floats as doubles, and two doubles as the nearest floats in the first lanes.
#if defined(__wasm_simd128__)
inline Vector promote_first(Vector floats) { return wasm_f64x2_promote_low_f32x4(floats); }
inline Vector demoted(Vector doubles) { return wasm_f32x4_demote_f64x2_zero(doubles); }
#else
inline Vector promote_first(const Vector& floats) {
  const auto lanes = as<Lanes<float>>(floats);
  return as<Vector>(Lanes<double>{static_cast<double>(lanes[0]), static_cast<double>(lanes[1])});
}
inline Vector demoted(const Vector& doubles) {
  const auto lanes = as<Lanes<double>>(doubles);
  return as<Vector>(Lanes<float>{static_cast<float>(lanes[0]), static_cast<float>(lanes[1])});
}
#endif

// Eight bytes as int16 with their signs; and in each lane the sum of the products of two int16 of each operand.
#if defined(__wasm_simd128__)
inline Vector load_widened(const std::byte* from) { return wasm_i16x8_load8x8(from); }
inline Lanes<std::uint32_t> dot_pairs(Vector a, Vector b) { return as<Lanes<std::uint32_t>>(wasm_i32x4_dot_i16x8(a, b)); }
#else
inline Vector load_widened(const std::byte* from) {
  return extended<std::int16_t, std::int8_t, 0>(splat<vector_bytes / 2>(from));
}
inline Lanes<std::uint32_t> dot_pairs(const Vector& a, const Vector& b) {
  const auto x = as<Lanes<std::int16_t>>(a);
  const auto y = as<Lanes<std::int16_t>>(b);
  const auto sum = [&](std::size_t i) {
    return static_cast<std::uint32_t>(x[i] * y[i]) + static_cast<std::uint32_t>(x[i + 1] * y[i + 1]);
  };
  return Lanes<std::uint32_t>{sum(0), sum(2), sum(4), sum(6)};
}
#endif

// Lanes of int32, in order, as bytes: 0 for those below it, 255 for those above.
#if defined(__wasm_simd128__)
inline Vector saturated_bytes(Lanes<std::int32_t> a, Lanes<std::int32_t> b, Lanes<std::int32_t> c, Lanes<std::int32_t> d) {
  return wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(as<Vector>(a), as<Vector>(b)),
                                 wasm_i16x8_narrow_i32x4(as<Vector>(c), as<Vector>(d)));
}
#else
inline Vector saturated_bytes(const Lanes<std::int32_t>& a, const Lanes<std::int32_t>& b, const Lanes<std::int32_t>& c,
                              const Lanes<std::int32_t>& d) {
  const Lanes<std::int32_t>* const lanes[] = {&a, &b, &c, &d};
  Vector result;
  for (std::size_t i = 0; i < vector_bytes; ++i) {
    const std::int32_t value = (*lanes[i / 4])[i % 4];
    result.bytes[i] = static_cast<std::byte>(value < 0 ? 0 : value > 255 ? 255 : value);
  }
  return result;
}
#endif

// Calls `kernel.template operator()<item_size>()`.
template <class Kernel>
void with_item_size(std::size_t item_size, Kernel kernel) {
  switch (item_size) {
    case 1: return kernel.template operator()<1>();
    case 2: return kernel.template operator()<2>();
    case 4: return kernel.template operator()<4>();
    case 8: return kernel.template operator()<8>();
    default: return kernel.template operator()<16>();
  }
}

}  // namespace broadloom
