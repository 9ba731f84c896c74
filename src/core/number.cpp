#include "core/number.h"

#include <cmath>
#include <cstring>
#include <optional>

#include "core/count.h"
#include "core/mini_float.h"
#include "core/text.h"

namespace broadloom {
namespace {

std::optional<std::uint32_t> to_mini_float(const MiniFloat& format, double value) {
  using enum MiniFloat::Specials;
  if (std::isnan(value)) {
    if (format.specials == none) return std::nullopt;
    return format.nan();
  }
  const std::uint32_t sign = std::signbit(value) ? format.sign_bit() : 0U;
  if (std::isinf(value)) {
    if (format.specials != ieee) return std::nullopt;
    return sign | format.infinity();
  }
  const std::uint32_t pattern = format.round(std::abs(value));
  if (pattern > format.largest()) return std::nullopt;
  if (pattern == 0 && format.specials == fnuz) return 0U;
  return sign | pattern;
}

std::optional<std::uint32_t> to_e8m0(double value) {
  if (std::isnan(value)) return e8m0_nan;
  // Zero and infinity have exponents beyond all others, and a power of two is not negative.
  const int exponent = std::ilogb(value);
  if (exponent < -e8m0_bias || exponent > e8m0_bias || std::ldexp(1.0, exponent) != value) return std::nullopt;
  return static_cast<std::uint32_t>(exponent + e8m0_bias);
}

bool has_integer(int bits, bool is_signed, double value) {
  const double limit = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  return value == std::trunc(value) && value < limit && value >= (is_signed ? -limit : 0.0);
}

std::optional<std::uint64_t> to_integer(double value, int bits, bool is_signed) {
  constexpr double exact = 9007199254740991.0;  // 2^53 - 1: a larger number may already be rounded
  if (!has_integer(bits, is_signed, value) || std::abs(value) > exact) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

// The bits of one element.
std::optional<std::uint64_t> to_bits(Dtype dtype, double value) {
  const DtypeInfo& type = info(dtype);
  switch (type.kind) {
    case DtypeKind::signed_integer:
    case DtypeKind::unsigned_integer: return to_integer(value, type.bits, type.kind == DtypeKind::signed_integer);
    case DtypeKind::boolean: return to_integer(value, 1, false);
    case DtypeKind::mini_float: return dtype == Dtype::float8e8m0 ? to_e8m0(value) : to_mini_float(mini_float(dtype), value);
    default: return std::nullopt;
  }
}

Status encode_reals(Dtype dtype, bool is_double, std::span<const double> values, std::byte* out) {
  if (is_double) {
    if (!values.empty()) std::memcpy(out, values.data(), values.size_bytes());
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
      if (dtype == Dtype::float8e8m0) return e8m0_value(static_cast<std::uint32_t>(bits));
      return mini_float(dtype).value(static_cast<std::uint32_t>(bits));
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
  const auto bits = in_memory(type.bits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<std::uint64_t> pattern = to_bits(dtype, values[i]);
    if (!pattern) {
      if (bits == 64 && has_integer(type.bits, type.kind == DtypeKind::signed_integer, values[i])) {
        return fail(Code::InvalidArgument, "element {} is {}: numbers from 2^53 on may be rounded, wanted a bigint", i,
                    values[i]);
      }
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
  const auto bits = in_memory(type.bits);
  for (std::size_t i = 0; i < in_memory(count); ++i) {
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
