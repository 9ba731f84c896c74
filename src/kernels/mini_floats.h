// float16 and bfloat16, as bits, to float32 and back: to the nearest, ties to even.
#pragma once

#include <cstdint>

namespace broadloom {

// Emscripten 3.1.6 has no std::bit_cast.
inline float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline std::uint32_t bits_of(float value) { return __builtin_bit_cast(std::uint32_t, value); }

inline float from_bfloat16(std::uint16_t bits) { return float_of(std::uint32_t{bits} << 16U); }

inline std::uint16_t to_bfloat16(float value) {
  const auto bits = bits_of(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16U | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

// The exponent and mantissa of float16 stand in those of float32, as a number 2^112 times too small.
inline float from_float16(std::uint16_t bits) {
  constexpr float scale = 0x1p112F;
  const std::uint32_t sign = (bits & 0x8000U) << 16U;
  const std::uint32_t magnitude = (bits & 0x7FFFU) << 13U;
  const bool is_finite = magnitude < 0x0F800000U;
  const float value = is_finite ? float_of(magnitude) * scale : float_of(magnitude | 0x7F800000U);
  return float_of(bits_of(value) | sign);
}

inline std::uint16_t to_float16(float value) {
  const auto bits = bits_of(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U | (magnitude >> 13U & 0x3FFU));
  if (magnitude >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7C00U);
  if (magnitude < 0x38800000U) {
    // Below 2^-14: the sum with 0.5 has the rounded result in its last bits.
    const float sum = float_of(magnitude) + 0.5F;
    return static_cast<std::uint16_t>(sign | (bits_of(sum) - bits_of(0.5F)));
  }
  const std::uint32_t rounded = magnitude - 0x38000000U + 0xFFFU + (magnitude >> 13U & 1U);
  return static_cast<std::uint16_t>(sign | rounded >> 13U);
}

}  // namespace broadloom
