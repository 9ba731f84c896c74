#include "core/number.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/text.h"

namespace broadloom {
namespace {

// How the bit patterns that are no finite numbers are used (ONNX: docs/docsgen/source/technical/float8.md).
enum class Specials : std::uint8_t {
  ieee,  // the largest exponent holds infinity and NaN
  fn,    // all ones is NaN; no infinity
  fnuz,  // only the pattern of -0 is NaN; no infinity, no -0
  none,
};

// A small floating-point format: one sign bit, an exponent, a mantissa.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;

  std::uint32_t sign_bit() const { return 1U << (exponent_bits + mantissa_bits); }
  std::uint32_t infinity() const { return ((1U << exponent_bits) - 1U) << mantissa_bits; }
  std::uint32_t largest() const {
    switch (specials) {
      case Specials::ieee: return infinity() - 1U;
      case Specials::fn: return sign_bit() - 2U;
      default: return sign_bit() - 1U;
    }
  }
  std::uint32_t nan() const {
    switch (specials) {
      case Specials::ieee: return infinity() | (1U << (mantissa_bits - 1));
      case Specials::fn: return sign_bit() - 1U;
      default: return sign_bit();
    }
  }
};

Format format_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16: return {5, 10, 15, Specials::ieee};
    case Dtype::bfloat16: return {8, 7, 127, Specials::ieee};
    case Dtype::float8e4m3fn: return {4, 3, 7, Specials::fn};
    case Dtype::float8e4m3fnuz: return {4, 3, 8, Specials::fnuz};
    case Dtype::float8e5m2: return {5, 2, 15, Specials::ieee};
    case Dtype::float8e5m2fnuz: return {5, 2, 16, Specials::fnuz};
    default: return {2, 1, 1, Specials::none};  // float4e2m1
  }
}

std::optional<std::uint32_t> to_mini_float(const Format& format, double value) {
  if (std::isnan(value)) {
    if (format.specials == Specials::none) return std::nullopt;
    return format.nan();
  }
  const std::uint32_t sign = std::signbit(value) ? format.sign_bit() : 0U;
  if (std::isinf(value)) {
    if (format.specials != Specials::ieee) return std::nullopt;
    return sign | format.infinity();
  }
  const double magnitude = std::abs(value);
  // Patterns of the same sign are ordered as their values, so rounding up may carry into the exponent.
  int exponent = 1 - format.bias;
  if (magnitude > 0) exponent = std::max(exponent, std::ilogb(magnitude));
  if (exponent > format.bias + 1) return std::nullopt;
  const double steps = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  const std::uint32_t pattern =
      (static_cast<std::uint32_t>(exponent + format.bias - 1) << format.mantissa_bits) + static_cast<std::uint32_t>(steps);
  if (pattern > format.largest()) return std::nullopt;
  if (pattern == 0 && format.specials == Specials::fnuz) return 0U;
  return sign | pattern;
}

double from_mini_float(const Format& format, std::uint32_t pattern) {
  const std::uint32_t magnitude = pattern & (format.sign_bit() - 1U);
  const double sign = (pattern & format.sign_bit()) != 0 ? -1.0 : 1.0;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (format.specials == Specials::fnuz && pattern == format.sign_bit()) return nan;
  if (format.specials != Specials::none && format.specials != Specials::fnuz && magnitude > format.largest()) {
    return format.specials == Specials::ieee && magnitude == format.infinity() ? sign * HUGE_VAL : nan;
  }
  const std::uint32_t exponent = magnitude >> format.mantissa_bits;
  std::uint32_t mantissa = magnitude & ((1U << format.mantissa_bits) - 1U);
  if (exponent > 0) mantissa |= 1U << format.mantissa_bits;
  const int scale = static_cast<int>(exponent > 0 ? exponent : 1U) - format.bias - format.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(mantissa), scale);
}

// float8e8m0: 2^(pattern - 127), or NaN.
constexpr int e8m0_bias = 127;
constexpr std::uint32_t e8m0_nan = 255;

std::optional<std::uint32_t> to_e8m0(double value) {
  if (std::isnan(value)) return e8m0_nan;
  if (!(value > 0) || std::isinf(value)) return std::nullopt;
  const int exponent = std::ilogb(value);
  if (exponent < -e8m0_bias || exponent > e8m0_bias || std::ldexp(1.0, exponent) != value) return std::nullopt;
  return static_cast<std::uint32_t>(exponent + e8m0_bias);
}

std::optional<std::uint64_t> to_integer(double value, int bits, bool is_signed) {
  constexpr double exact = 9007199254740991.0;  // 2^53 - 1: beyond it a number may have been rounded already
  if (value != std::trunc(value) || std::abs(value) > exact) return std::nullopt;
  const double limit = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  if (value >= limit || value < (is_signed ? -limit : 0.0)) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

// The bits of one element.
std::optional<std::uint64_t> to_bits(Dtype dtype, double value) {
  const DtypeInfo& type = info(dtype);
  switch (type.kind) {
    case DtypeKind::signed_integer:
    case DtypeKind::unsigned_integer: return to_integer(value, type.bits, type.kind == DtypeKind::signed_integer);
    case DtypeKind::boolean: return to_integer(value, 1, false);
    case DtypeKind::mini_float: return dtype == Dtype::float8e8m0 ? to_e8m0(value) : to_mini_float(format_of(dtype), value);
    default: return std::nullopt;
  }
}

Status encode_reals(Dtype dtype, bool is_double, std::span<const double> values, std::byte* out) {
  if (is_double) {
    std::memcpy(out, values.data(), values.size_bytes());
    return {};
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    if (std::isinf(value) && !std::isinf(values[i])) {
      return fail(Code::InvalidArgument, "element {} is {}, which {} cannot hold", i, values[i], dtype);
    }
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
  return {};
}

double element(Dtype dtype, const DtypeInfo& type, std::uint64_t bits) {
  switch (type.kind) {
    case DtypeKind::mini_float:
      if (dtype != Dtype::float8e8m0) return from_mini_float(format_of(dtype), static_cast<std::uint32_t>(bits));
      if (bits == e8m0_nan) return std::numeric_limits<double>::quiet_NaN();
      return std::ldexp(1.0, static_cast<int>(bits) - e8m0_bias);
    case DtypeKind::signed_integer: {
      const int unused = 64 - type.bits;
      return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    default: return static_cast<double>(bits);
  }
}

}  // namespace

Status encode(Dtype dtype, std::span<const double> values, std::byte* out) {
  const DtypeInfo& type = info(dtype);
  if (type.kind == DtypeKind::real_float) return encode_reals(dtype, type.bits == 64, values, out);
  if (type.kind == DtypeKind::complex) return encode_reals(dtype, type.bits == 128, values, out);
  const auto bits = static_cast<std::size_t>(type.bits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<std::uint64_t> pattern = to_bits(dtype, values[i]);
    if (!pattern) {
      return fail(Code::InvalidArgument, "element {} is {}, which {} cannot hold", i, values[i], dtype);
    }
    if (bits >= 8) {
      std::memcpy(out + i * (bits / 8), &*pattern, bits / 8);
      continue;
    }
    const std::size_t shift = i * bits % 8;
    std::byte& byte = out[i * bits / 8];
    if (shift == 0) byte = std::byte{0};
    byte |= static_cast<std::byte>((*pattern & ((1U << bits) - 1U)) << shift);
  }
  return {};
}

void decode(Dtype dtype, const std::byte* data, std::int64_t count, double* out) {
  const DtypeInfo& type = info(dtype);
  const auto bits = static_cast<std::size_t>(type.bits);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (dtype == Dtype::float64) {
      std::memcpy(&out[i], data + i * sizeof(double), sizeof(double));
    } else if (dtype == Dtype::float32) {
      float value;
      std::memcpy(&value, data + i * sizeof value, sizeof value);
      out[i] = value;
    } else if (bits >= 8) {
      std::uint64_t pattern = 0;
      std::memcpy(&pattern, data + i * (bits / 8), bits / 8);
      out[i] = element(dtype, type, pattern);
    } else {
      const auto byte = std::to_integer<unsigned>(data[i * bits / 8]);
      out[i] = element(dtype, type, (byte >> (i * bits % 8)) & ((1U << bits) - 1U));
    }
  }
}

}  // namespace broadloom
