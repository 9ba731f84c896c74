// Floating-point formats of 16 bits and fewer. No other file knows how their bit patterns are read and
// rounded.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/bits.h"
#include "core/dtype.h"

namespace broadloom {

// A sign bit, an exponent, a mantissa. (ONNX: docs/docsgen/source/technical/float8.md and float4.md.)
struct MiniFloat {
  // The use of patterns other than finite numbers.
  enum class Specials : std::uint8_t {
    ieee,  // the largest exponent holds infinity and NaN
    fn,    // all ones is NaN; no infinity
    fnuz,  // only the pattern of -0 is NaN; no infinity, no -0
    none,
  };

  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  constexpr std::uint32_t sign_bit() const { return 1U << (exponent_bits + mantissa_bits); }
  constexpr std::uint32_t infinity() const { return ((1U << exponent_bits) - 1U) << mantissa_bits; }
  constexpr std::uint32_t largest() const {
    switch (specials) {
      case Specials::ieee: return infinity() - 1U;
      case Specials::fn: return sign_bit() - 2U;
      default: return sign_bit() - 1U;
    }
  }
  constexpr std::uint32_t nan() const {
    switch (specials) {
      case Specials::ieee: return infinity() | (1U << (mantissa_bits - 1));
      case Specials::fn: return sign_bit() - 1U;
      default: return sign_bit();
    }
  }

  // The pattern of the value nearest to a magnitude other than NaN, ties to even, without a limit of exponents: a result above
  // largest() is an overflow. Patterns are ordered like their values, so rounding up may carry into the exponent.
  std::uint32_t round(double magnitude) const {
    const auto bits = bits_as<std::uint64_t>(magnitude);
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    if (exponent > bias + 1) return sign_bit();
    const int below = std::max(0, 1 - bias - exponent);  // steps under the least normal exponent
    const int dropped = 52 - mantissa_bits + below;
    if (dropped > 54) return 0;
    const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    const std::uint64_t rounded = (mantissa + half - 1 + (mantissa >> dropped & 1)) >> dropped;
    return static_cast<std::uint32_t>(rounded) + (static_cast<std::uint32_t>(exponent + below + bias - 1) << mantissa_bits);
  }

  // The pattern of a NaN, with its sign and its highest bits if the format has room for them. So a NaN that is converted to a
  // format with more bits and back is unchanged.
  std::uint32_t nan(double value) const {
    if (specials == Specials::fnuz) return nan();
    const std::uint32_t sign = std::signbit(value) ? sign_bit() : 0U;
    const auto kept = static_cast<std::uint32_t>(bits_as<std::uint64_t>(value) >> (52 - mantissa_bits)) & (sign_bit() - 1U);
    return sign | (specials == Specials::ieee && kept != infinity() ? kept : nan());
  }

  double value(std::uint32_t pattern) const {
    const std::uint32_t magnitude = pattern & (sign_bit() - 1U);
    const bool is_negative = (pattern & sign_bit()) != 0;
    constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
    if (specials == Specials::fnuz && pattern == sign_bit()) return quiet_nan;
    double result;
    if (specials != Specials::none && magnitude > largest()) {
      if (specials == Specials::fn) {
        result = quiet_nan;
      } else {
        // Infinity, or a NaN with its bits.
        const std::uint64_t mantissa = magnitude & ((1U << mantissa_bits) - 1U);
        result = bits_as<double>((std::uint64_t{0x7FF} << 52) | (mantissa << (52 - mantissa_bits)));
      }
    } else if (magnitude >> mantissa_bits == 0) {
      result = magnitude * bits_as<double>(static_cast<std::uint64_t>(1024 - bias - mantissa_bits) << 52);
    } else {
      result = bits_as<double>((static_cast<std::uint64_t>(magnitude) << (52 - mantissa_bits)) +
                               (static_cast<std::uint64_t>(1023 - bias) << 52));
    }
    return is_negative ? -result : result;
  }
};

inline constexpr MiniFloat float16_format{5, 10, 15, MiniFloat::Specials::ieee};
// Used for its NaNs, because instructions make a signaling NaN quiet.
inline constexpr MiniFloat float32_format{8, 23, 127, MiniFloat::Specials::ieee};

// The format of every mini_float except float8e8m0.
constexpr MiniFloat mini_float(Dtype dtype) {
  using enum MiniFloat::Specials;
  switch (dtype) {
    case Dtype::float16: return float16_format;
    case Dtype::bfloat16: return {8, 7, 127, ieee};
    case Dtype::float8e4m3fn: return {4, 3, 7, fn};
    case Dtype::float8e4m3fnuz: return {4, 3, 8, fnuz};
    case Dtype::float8e5m2: return {5, 2, 15, ieee};
    case Dtype::float8e5m2fnuz: return {5, 2, 16, fnuz};
    default: return {2, 1, 1, none};  // float4e2m1
  }
}

// float8e8m0: 2^(pattern - 127), or NaN.
inline constexpr int e8m0_bias = 127;
inline constexpr std::uint32_t e8m0_nan = 255;

inline double e8m0_value(std::uint32_t pattern) {
  return pattern == e8m0_nan ? std::numeric_limits<double>::quiet_NaN()
                             : bits_as<double>(static_cast<std::uint64_t>(pattern + 1023U - e8m0_bias) << 52);
}

}  // namespace broadloom
