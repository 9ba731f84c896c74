// Conversions between values and bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace broadloom {

// The bits of a value as another type of the same size: Emscripten 3.1.6 has no std::bit_cast.
template <class To, class From>
To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// The bits of an item of 1, 2, 4 or 8 bytes.
inline std::uint64_t load_bits(const std::byte* from, std::size_t item_size) {
  std::uint64_t bits = 0;
  switch (item_size) {
    case 1: std::memcpy(&bits, from, 1); break;
    case 2: std::memcpy(&bits, from, 2); break;
    case 4: std::memcpy(&bits, from, 4); break;
    default: std::memcpy(&bits, from, 8); break;
  }
  return bits;
}

}  // namespace broadloom
