// Sixteen bytes at a time: wasm SIMD where it is compiled for, and a twin of plain C++ with the same behaviour, so that
// the kernels run natively under sanitizers. The only file with intrinsics.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace broadloom {

inline constexpr std::size_t vector_bytes = 16;

#if defined(__wasm_simd128__)

using Vector = v128_t;
inline Vector load(const std::byte* from) { return wasm_v128_load(from); }
inline void store(std::byte* to, Vector vector) { wasm_v128_store(to, vector); }

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

#endif

// `item` repeated until the vector is full. `item_size` divides 16.
inline Vector splat(const std::byte* item, std::size_t item_size) {
  std::byte pattern[vector_bytes];
  for (std::size_t i = 0; i < vector_bytes; i += item_size) std::memcpy(pattern + i, item, item_size);
  return load(pattern);
}

}  // namespace broadloom
