#include "kernels/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/bits.h"
#include "core/mini_float.h"
#include "kernels/copy.h"
#include "kernels/packed.h"

namespace broadloom {
namespace {

std::uint32_t round_to_mini(const MiniFloat& format, double value, bool saturates) {
  using enum MiniFloat::Specials;
  if (std::isnan(value)) return format.specials == none ? format.largest() : format.nan();
  const std::uint32_t sign = std::signbit(value) ? format.sign_bit() : 0U;
  const std::uint32_t pattern = format.round(std::abs(value));
  if (pattern == 0 && format.specials == fnuz) return 0;
  if (pattern <= format.largest()) return sign | pattern;
  if (format.specials == fnuz && (!saturates || std::isinf(value))) return format.nan();
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

// ---- Loops over contiguous elements, for the pairs of which much is converted ----
//
// As plain loops: what clang 14 makes of them with vectors is 7 kB larger and slower, to float16 by half (Node 20).

template <class To, class From>
To element_as(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Wide = std::conditional_t<sizeof(To) <= 4, std::int32_t, std::int64_t>;
    constexpr From limit = -static_cast<From>(std::numeric_limits<Wide>::min());
    const bool fits = value >= -limit && value < limit;
    return static_cast<To>(fits ? static_cast<Wide>(value) : std::numeric_limits<Wide>::min());
  } else {
    return static_cast<To>(value);
  }
}

struct Half {
  std::uint16_t bits;
};

// The same as MiniFloat's, in fewer steps.
template <>
float element_as<float, Half>(Half half) {
  const std::uint32_t magnitude = (half.bits & 0x7FFFU) << 13;
  constexpr float scale = 0x1p112F;  // between the biases
  std::uint32_t bits = bits_as<std::uint32_t>(bits_as<float>(magnitude) * scale);
  bits |= magnitude >= (0x7C00U << 13) ? 0x7F800000U : 0U;
  return bits_as<float>(bits | (half.bits & 0x8000U) << 16);
}

template <>
Half element_as<Half, float>(float value) {
  const auto bits = bits_as<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  constexpr std::uint32_t too_large = 143U << 23;     // 2^16
  constexpr std::uint32_t least_normal = 113U << 23;  // 2^-14
  // Adding a half moves the bits that are kept to the end, and rounds.
  const std::uint32_t small = bits_as<std::uint32_t>(bits_as<float>(magnitude) + 0.5F) - bits_as<std::uint32_t>(0.5F);
  const std::uint32_t normal = (magnitude - (112U << 23) + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
  const std::uint32_t special = magnitude > 0x7F800000U ? 0x7E00U : 0x7C00U;
  std::uint32_t half = magnitude < least_normal ? small : normal;
  half = magnitude >= too_large ? special : half;
  const std::uint32_t sign = magnitude > 0x7F800000U ? 0U : bits >> 16 & 0x8000U;
  return {static_cast<std::uint16_t>(half | sign)};
}

struct Brain {
  std::uint16_t bits;
};

template <>
float element_as<float, Brain>(Brain brain) {
  return bits_as<float>(static_cast<std::uint32_t>(brain.bits) << 16);
}

template <>
Brain element_as<Brain, float>(float value) {
  const auto bits = bits_as<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7FFFU + (bits >> 16 & 1U);
  return {static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC0U : rounded >> 16)};
}

template <class To, class From>
void convert_each(std::byte* to, const std::byte* from, std::size_t count) {
  auto* results = reinterpret_cast<To*>(to);
  const auto* values = reinterpret_cast<const From*>(from);
  for (std::size_t i = 0; i < count; ++i) results[i] = element_as<To>(values[i]);
}

template <class From>
void convert_each_to_bool(std::byte* to, const std::byte* from, std::size_t count) {
  const auto* values = reinterpret_cast<const From*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::byte>(values[i] != From{0});
}

using Loop = void (*)(std::byte* to, const std::byte* from, std::size_t count);

struct Direct {
  Dtype to;
  Dtype from;
  Loop loop;
};

constexpr Direct direct[] = {
    {Dtype::float32, Dtype::uint8, convert_each<float, std::uint8_t>},
    {Dtype::float32, Dtype::boolean, convert_each<float, std::uint8_t>},
    {Dtype::float32, Dtype::int32, convert_each<float, std::int32_t>},
    {Dtype::float32, Dtype::int64, convert_each<float, std::int64_t>},
    {Dtype::float32, Dtype::float16, convert_each<float, Half>},
    {Dtype::float16, Dtype::float32, convert_each<Half, float>},
    {Dtype::float32, Dtype::bfloat16, convert_each<float, Brain>},
    {Dtype::bfloat16, Dtype::float32, convert_each<Brain, float>},
    {Dtype::uint8, Dtype::float32, convert_each<std::uint8_t, float>},
    {Dtype::int32, Dtype::float32, convert_each<std::int32_t, float>},
    {Dtype::int64, Dtype::float32, convert_each<std::int64_t, float>},
    {Dtype::int32, Dtype::int64, convert_each<std::int32_t, std::int64_t>},
    {Dtype::int64, Dtype::int32, convert_each<std::int64_t, std::int32_t>},
    {Dtype::int64, Dtype::boolean, convert_each<std::int64_t, std::uint8_t>},
    {Dtype::boolean, Dtype::float32, convert_each_to_bool<float>},
    {Dtype::boolean, Dtype::int64, convert_each_to_bool<std::int64_t>},
};

// ---- All others: blocks of a wide form, which is double for floating-point types and int64 for integers and bool ----

union Wide {
  std::int64_t integer;  // of uint64, the bits
  double real;
};

bool is_real(Dtype dtype) { return info(dtype).kind == DtypeKind::real_float || info(dtype).kind == DtypeKind::mini_float; }

template <class T>
void load_each(Wide* to, const std::byte* from, std::size_t count) {
  const auto* values = reinterpret_cast<const T*>(from);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      to[i].real = values[i];
    } else {
      to[i].integer = static_cast<std::int64_t>(values[i]);
    }
  }
}

// The patterns of a type of at most 16 bits, as int64, to what they stand for.
void read_minis(Wide* block, Dtype dtype, std::size_t count) {
  const MiniFloat format = mini_float(dtype);
  for (std::size_t i = 0; i < count; ++i) {
    const auto pattern = static_cast<std::uint32_t>(block[i].integer);
    block[i].real = dtype == Dtype::float8e8m0 ? e8m0_value(pattern) : format.value(pattern);
  }
}

void load_block(Wide* to, const std::byte* from, Dtype dtype, std::size_t count) {
  const DtypeInfo& type = info(dtype);
  std::byte bytes[block_items];
  if (type.bits < 8) {
    unpack(bytes, from, 0, count, static_cast<std::size_t>(type.bits));
    from = bytes;
  }
  const bool is_signed = type.kind == DtypeKind::signed_integer;
  switch (type.bits) {
    case 64: std::memcpy(to, from, count * sizeof *to); break;
    case 32:
      if (type.kind == DtypeKind::real_float) {
        load_each<float>(to, from, count);
      } else {
        is_signed ? load_each<std::int32_t>(to, from, count) : load_each<std::uint32_t>(to, from, count);
      }
      break;
    case 16: is_signed ? load_each<std::int16_t>(to, from, count) : load_each<std::uint16_t>(to, from, count); break;
    default: is_signed ? load_each<std::int8_t>(to, from, count) : load_each<std::uint8_t>(to, from, count); break;
  }
  if (is_signed && type.bits < 8) {
    const int unused = 64 - type.bits;
    for (std::size_t i = 0; i < count; ++i)
      to[i].integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(to[i].integer) << unused) >> unused;
  }
  if (type.kind == DtypeKind::mini_float) read_minis(to, dtype, count);
}

// Integers of more than 53 bits go to double so that rounding the double gives what rounding the integer would: the last bit
// that is kept is set when others are lost (round to odd). Not where double itself is wanted.
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

// From the wide form of one type to that of another, which for floating-point types is their bits already.
void change_block(Wide* block, Dtype to, Dtype from, std::size_t count, const Rounding& rounding) {
  const DtypeInfo& type = info(to);
  const bool from_real = is_real(from);
  const auto each = [&](auto change) {
    for (std::size_t i = 0; i < count; ++i) change(block[i]);
  };
  if (type.kind == DtypeKind::boolean) {
    if (from_real)
      each([](Wide& wide) { wide.integer = wide.real != 0; });
    else
      each([](Wide& wide) { wide.integer = wide.integer != 0; });
    return;
  }
  if (!is_real(to)) {
    if (from_real) each([&](Wide& wide) { wide.integer = to_integer(wide.real, to); });
    return;
  }
  if (!from_real) {
    each([&](Wide& wide) { wide.real = to_real(wide.integer, from == Dtype::uint64, to == Dtype::float64); });
  }
  if (type.kind == DtypeKind::mini_float && to != Dtype::float8e8m0) {
    const MiniFloat format = mini_float(to);
    const bool saturates = rounding.saturates && type.bits <= 8;
    each([&](Wide& wide) { wide.integer = round_to_mini(format, wide.real, saturates); });
  } else if (to != Dtype::float64) {
    each([&](Wide& wide) { wide.integer = static_cast<std::int64_t>(round_to(to, wide.real, rounding)); });
  }
}

template <class T>
void store_each(std::byte* to, const Wide* from, std::size_t count) {
  auto* results = reinterpret_cast<T*>(to);
  for (std::size_t i = 0; i < count; ++i) results[i] = static_cast<T>(from[i].integer);
}

void store_block(std::byte* to, const Wide* from, Dtype dtype, std::size_t count) {
  const int bits = info(dtype).bits;
  std::byte bytes[block_items];
  switch (bits) {
    case 64: return copy_bytes(to, reinterpret_cast<const std::byte*>(from), count * sizeof *from);
    case 32: return store_each<std::uint32_t>(to, from, count);
    case 16: return store_each<std::uint16_t>(to, from, count);
    case 8: return store_each<std::uint8_t>(to, from, count);
    default: store_each<std::uint8_t>(bytes, from, count); return pack(to, bytes, count, static_cast<std::size_t>(bits));
  }
}

}  // namespace

std::uint64_t round_to(Dtype dtype, double value, Rounding rounding) {
  if (dtype == Dtype::float64) return bits_as<std::uint64_t>(value);
  if (dtype == Dtype::float32) return bits_as<std::uint32_t>(static_cast<float>(value));
  if (dtype == Dtype::float8e8m0) return round_to_power(value, rounding);
  return round_to_mini(mini_float(dtype), value, rounding.saturates && info(dtype).bits <= 8);
}

void convert(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count, Rounding rounding) {
  for (const Direct& pair : direct) {
    if (pair.to == to_type && pair.from == from_type) return pair.loop(to, from, count);
  }
  Wide block[block_items];
  for (std::size_t done = 0; done < count; done += block_items) {
    const std::size_t part = std::min(block_items, count - done);
    load_block(block, from + done * static_cast<std::size_t>(info(from_type).bits) / 8, from_type, part);
    change_block(block, to_type, from_type, part, rounding);
    store_block(to + done * static_cast<std::size_t>(info(to_type).bits) / 8, block, to_type, part);
  }
}

}  // namespace broadloom
