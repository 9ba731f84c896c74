#include "kernels/elementwise/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/bits.h"
#include "core/count.h"
#include "core/limits.h"
#include "core/mini_float.h"
#include "kernels/elementwise/conversion_steps.h"
#include "kernels/movement/packed.h"

namespace broadloom {
namespace {

std::uint32_t round_to_mini(const MiniFloat& format, double value, bool saturates) {
  using enum MiniFloat::Specials;
  if (std::isnan(value)) return format.specials == none ? format.sign_bit() : format.nan(value);
  const std::uint32_t sign = std::signbit(value) ? format.sign_bit() : 0U;
  const std::uint32_t pattern = format.round(std::abs(value));
  if (pattern == 0 && format.specials == fnuz) return 0;
  if (pattern <= format.largest()) return sign | pattern;
  if (format.specials == fnuz && !saturates) return format.nan();
  if (saturates || format.specials == none) return sign | format.largest();
  return sign | (format.specials == ieee ? format.infinity() : format.nan());
}

std::uint32_t round_to_power(double value, const Rounding& rounding) {
  const double magnitude = std::abs(value);
  if (!std::isfinite(magnitude)) return e8m0_nan;
  const auto bits = bits_as<std::uint64_t>(magnitude);
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t added = rounding.power == PowerRounding::up        ? fraction
                              : rounding.power == PowerRounding::nearest ? fraction / 2 + 1
                                                                         : 0;
  const auto exponent = static_cast<std::int64_t>((bits + added) >> 52) - (1023 - e8m0_bias);
  if (exponent >= e8m0_nan) return rounding.saturates || rounding.power == PowerRounding::down ? e8m0_nan - 1 : e8m0_nan;
  return static_cast<std::uint32_t>(std::max<std::int64_t>(exponent, 0));
}

// ---- Conversions without steps: blocks of a wide form, which is double for floating-point types and int64 for integers and
// bool ----

union WideElement {
  std::int64_t integer;  // of uint64, the bits
  double real;
};

// The unsigned integers with this number of bits, or with 8.
Dtype bits_type(int bits) {
  return bits <= 8 ? Dtype::uint8 : bits == 16 ? Dtype::uint16 : bits == 32 ? Dtype::uint32 : Dtype::uint64;
}

void load_block(WideElement* to, const std::byte* from, Dtype dtype, std::size_t count) {
  const DtypeInfo& type = info(dtype);
  auto* bytes = reinterpret_cast<std::byte*>(to);
  const ConversionSteps steps(is_real(dtype) ? Dtype::float64 : Dtype::int64, dtype);
  if (type.bits >= 8 && steps.exist()) return steps.run(bytes, from, count);
  std::byte unpacked[block_items];
  if (type.bits < 8) {
    unpack(unpacked, from, 0, count, in_memory(type.bits));
    from = unpacked;
  }
  ConversionSteps(Dtype::int64, Dtype::uint8).run(bytes, from, count);
  const MiniFloat format = mini_float(dtype);
  const int unused = 64 - type.bits;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pattern = static_cast<std::uint32_t>(to[i].integer);
    if (is_real(dtype)) {
      to[i].real = dtype == Dtype::float8e8m0 ? e8m0_value(pattern) : format.value(pattern);
    } else if (type.kind == DtypeKind::signed_integer) {
      to[i].integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(pattern) << unused) >> unused;
    }
  }
}

// The integer as a double. An integer of more than 53 bits is rounded to odd: the last kept bit is set if bits are lost. To
// round that double again then has the result of rounding the integer. If double is the last type, it is rounded to nearest.
double to_real(std::int64_t integer, bool is_unsigned, bool is_last) {
  constexpr std::int64_t lost = (1 << 11) - 1;
  const bool is_large = integer >= std::int64_t{1} << 53 || integer <= -(std::int64_t{1} << 53);
  if (is_large && !is_last && (integer & lost) != 0) integer = (integer & ~lost) | (lost + 1);
  return is_unsigned ? static_cast<double>(static_cast<std::uint64_t>(integer)) : static_cast<double>(integer);
}

std::int64_t to_integer(double value, Dtype dtype) {
  constexpr double above = 0x1p63;
  if (dtype == Dtype::uint64 && value >= above && value < 2 * above) {
    return static_cast<std::int64_t>(value - above) ^ std::numeric_limits<std::int64_t>::min();
  }
  const bool is_narrow = info(dtype).bits < 32 || dtype == Dtype::int32;
  return is_narrow ? element_as<std::int32_t>(value) : element_as<std::int64_t>(value);
}

// Changes elements from the wide form of one type to the wide form of another. The wide form of a floating-point result is its
// bits.
void change_block(WideElement* block, Dtype to, Dtype from, std::size_t count, const Rounding& rounding) {
  const DtypeInfo& type = info(to);
  const bool from_real = is_real(from);
  const auto each = [&](auto change) {
    for (std::size_t i = 0; i < count; ++i) change(block[i]);
  };
  if (type.kind == DtypeKind::boolean) {
    if (from_real)
      each([](WideElement& wide) { wide.integer = wide.real != 0; });
    else
      each([](WideElement& wide) { wide.integer = wide.integer != 0; });
    return;
  }
  if (!is_real(to)) {
    if (from_real) each([&](WideElement& wide) { wide.integer = to_integer(wide.real, to); });
    return;
  }
  if (!from_real) {
    each([&](WideElement& wide) { wide.real = to_real(wide.integer, from == Dtype::uint64, to == Dtype::float64); });
  }
  if (type.kind == DtypeKind::mini_float && to != Dtype::float8e8m0) {
    const MiniFloat format = mini_float(to);
    const bool saturates = rounding.saturates && type.bits <= 8;
    each([&](WideElement& wide) { wide.integer = round_to_mini(format, wide.real, saturates); });
  } else if (to != Dtype::float64) {
    each([&](WideElement& wide) { wide.integer = static_cast<std::int64_t>(round_to(to, wide.real, rounding)); });
  }
}

void store_block(std::byte* to, const WideElement* from, Dtype dtype, std::size_t count) {
  const int bits = info(dtype).bits;
  const ConversionSteps steps(bits_type(bits), Dtype::int64);
  const auto* patterns = reinterpret_cast<const std::byte*>(from);
  if (bits >= 8) return steps.run(to, patterns, count);
  std::byte bytes[block_items];
  steps.run(bytes, patterns, count);
  pack(to, bytes, count, in_memory(bits));
}

}  // namespace

std::uint64_t round_to(Dtype dtype, double value, Rounding rounding) {
  if (dtype == Dtype::float64) return bits_as<std::uint64_t>(value);
  if (dtype == Dtype::float32) return float_bits(value);
  if (dtype == Dtype::float8e8m0) return round_to_power(value, rounding);
  return round_to_mini(mini_float(dtype), value, rounding.saturates && info(dtype).bits <= 8);
}

void convert(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count, Rounding rounding) {
  if (info(to_type).bits >= 8 && info(from_type).bits >= 8) {
    const ConversionSteps steps(to_type, from_type);
    if (steps.exist()) return steps.run(to, from, count);
  }
  WideElement block[block_items];
  for (std::size_t done = 0; done < count; done += block_items) {
    const std::size_t part = std::min(block_items, count - done);
    load_block(block, from + done * in_memory(info(from_type).bits) / 8, from_type, part);
    change_block(block, to_type, from_type, part, rounding);
    store_block(to + done * in_memory(info(to_type).bits) / 8, block, to_type, part);
  }
}

Status convert_watched(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count,
                       Rounding rounding) {
  constexpr std::size_t most = std::size_t{1} << 18;  // between questions of the time; whole bytes of packed types
  constexpr double steps_of_item = 4;
  const auto bytes = [&](Dtype type) { return most * in_memory(info(type).bits) / 8; };
  for (std::size_t some; count > 0; count -= some, to += bytes(to_type), from += bytes(from_type)) {
    some = std::min(most, count);
    BROADLOOM_CHECK(Watch::check(steps_of_item * static_cast<double>(some)));
    convert(to, to_type, from, from_type, some, rounding);
  }
  return {};
}

}  // namespace broadloom
