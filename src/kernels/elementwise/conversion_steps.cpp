#include "kernels/elementwise/conversion_steps.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/movement/copy.h"

namespace broadloom {
namespace {

// Widens the elements of a vector to vectors of lanes. Elements of 8 bits take two steps.
template <class Format, class From>
void widen_vector(std::byte* to, const Vector& elements) {
  using Lane = typename Format::Lane;
  if constexpr (2 * sizeof(From) == sizeof(Lane)) {
    store(to, Format::widen(extended<Lane, From, 0>(elements)));
    store(to + vector_bytes, Format::widen(extended<Lane, From, 1>(elements)));
  } else {
    using Half = std::conditional_t<std::is_signed_v<From>, std::int16_t, std::uint16_t>;
    widen_vector<Format, Half>(to, extended<Half, From, 0>(elements));
    widen_vector<Format, Half>(to + 2 * vector_bytes, extended<Half, From, 1>(elements));
  }
}

template <class Format>
void widen_elements(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = vector_bytes / Format::size;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    widen_vector<Format, typename Format::Element>(to + i * Format::wide, load(from[0] + i * Format::size));
  }
  finish(widen_elements<Format>, {1, Format::size, Format::wide, step}, to, from, i, count);
}

// A vector of elements of `width` bytes, each the low bytes of a lane.
template <class Format, std::size_t width>
Vector narrowed(const std::byte* from) {
  if constexpr (width == Format::wide) {
    return Format::narrow(load(from));
  } else {
    constexpr std::size_t next = vector_bytes / (2 * width) * Format::wide;
    return first_halves<2 * width>(narrowed<Format, 2 * width>(from), narrowed<Format, 2 * width>(from + next));
  }
}

template <class Format>
void narrow_elements(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = vector_bytes / Format::size;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    store(to + i * Format::size, narrowed<Format, Format::size>(from[0] + i * Format::wide));
  }
  finish(narrow_elements<Format>, {1, Format::wide, Format::size, step}, to, from, i, count);
}

// Elements, and lanes of a larger type to which they go.
template <class TheirElement, class TheirLane>
struct Integer {
  using Element = TheirElement;
  using Lane = TheirLane;
  static constexpr std::size_t size = sizeof(Element);
  static constexpr std::size_t wide = sizeof(Lane);
  static Vector widen(const Vector& lanes) { return lanes; }
  static Vector narrow(const Vector& lanes) { return lanes; }
};
using Int8 = Integer<std::int8_t, std::int32_t>;
using Uint8 = Integer<std::uint8_t, std::uint32_t>;
using Int16 = Integer<std::int16_t, std::int32_t>;
using Uint16 = Integer<std::uint16_t, std::uint32_t>;
using Int32 = Integer<std::int32_t, std::int64_t>;
using Uint32 = Integer<std::uint32_t, std::uint64_t>;

using Words = Lanes<std::uint32_t>;

// Words below 2^31: engines compare signed ones in fewer instructions.
Words is_above(const Words& words, std::uint32_t limit) {
  return as<Words>(as<Lanes<std::int32_t>>(words) > static_cast<std::int32_t>(limit));
}

// MiniFloat's rules, in fewer steps.

// The lanes of `others`, but NaNs where `is_nan` is set. `kept` has the highest bits of the NaNs; if they look like infinity,
// the quiet bit is set.
template <std::uint32_t infinity>
Words with_nans(const Words& is_nan, const Words& kept, const Words& others) {
  constexpr std::uint32_t payload = (infinity & (0 - infinity)) - 1;
  constexpr std::uint32_t quiet = infinity | infinity >> 1;
  return select(is_nan, kept | (as<Words>((kept & payload) == 0) & quiet), others);
}

struct Float16 : Uint16 {
  static constexpr std::uint32_t infinity = 0x7F800000;

  static Vector widen(const Vector& lanes) {
    const auto bits = as<Words>(lanes);
    const Words magnitude = (bits & 0x7FFF) << 13;
    // Shifted, the exponent is 112 too low; those that hold infinity and NaN keep all ones.
    const Words scaled = as<Words>(as<Lanes<float>>(magnitude) * 0x1p112F);
    const Words special = is_above(magnitude, 0x0F7FFFFF) & infinity;
    return as<Vector>(((bits & 0x8000) << 16) | scaled | special);
  }
  static Vector narrow(const Vector& lanes) {
    const auto bits = as<Words>(lanes);
    const Words magnitude = bits & 0x7FFFFFFF;
    // Numbers from 2^16 on become infinity.
    const auto times_4 = as<Lanes<float>>(magnitude) * 0x1p112F * 0x1p-110F;
    // Added to 2^15 times its power of two, which is at least 2^-14, it is rounded to the bits of the result: to nearest, ties
    // to even. The first of them goes into the exponent.
    const auto power = as<Lanes<std::int32_t>>(magnitude & infinity);
    const auto least = Lanes<std::int32_t>{} + 0x38800000;
    const Words place = as<Words>(power > least ? power : least) + (15U << 23);
    const auto rounded = as<Words>(times_4 + as<Lanes<float>>(place));
    Words result = ((rounded >> 13) & 0x7C00U) + (rounded & 0xFFFU);
    const Words is_nan = is_above(magnitude, infinity);
    if (any(is_nan)) [[unlikely]]
      result = with_nans<0x7C00>(is_nan, (magnitude >> 13) & 0x7FFF, result);
    return as<Vector>(result | ((bits >> 16) & 0x8000U));
  }
  static Vector round(const Vector& lanes) {
    const auto bits = as<Words>(lanes);
    const Words magnitude = bits & 0x7FFFFFFF;
    // As in `narrow`, but the power, which is at most 2^16, is subtracted again.
    const auto power = as<Lanes<std::int32_t>>(magnitude & infinity);
    const auto least = Lanes<std::int32_t>{} + 0x38800000;
    const auto most = Lanes<std::int32_t>{} + 0x47800000;
    const auto limited = power > least ? power : least;
    const auto place = as<Lanes<float>>(as<Words>(limited < most ? limited : most) + (13U << 23));
    const auto rounded = (as<Lanes<float>>(magnitude) + place) - place;
    return as<Vector>(as<Words>(rounded * 0x1p112F * 0x1p-112F) | (bits & 0x80000000U));
  }
};
struct Bfloat16 : Uint16 {
  static Vector widen(const Vector& lanes) { return as<Vector>(as<Words>(lanes) << 16); }
  static Vector narrow(const Vector& lanes) {
    const auto bits = as<Words>(lanes);
    Words result = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    const Words is_nan = is_above(bits & 0x7FFFFFFF, 0x7F800000);
    if (any(is_nan)) [[unlikely]]
      result = with_nans<0x7F80>(is_nan, bits >> 16, result);
    return as<Vector>(result);
  }
  static Vector round(const Vector& lanes) {
    const auto bits = as<Words>(lanes);
    return as<Vector>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
  }
};

// Loops that look for what is rare when they have ended, and begin again then. A Gelu of float16 takes 0.8 of the time so.

// The numbers of float16, whose exponents have not all ones.
void widen_halves(std::byte* to, const std::byte* const* from, std::size_t count) {
  const auto number = [](const auto& bits) { return as<Lanes<float>>((as<Words>(bits) << 13) & 0x8FFFFFFFU) * 0x1p112F; };
  Words specials{};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const Vector elements = load(from[0] + i * 2);
    specials |= as<Words>((as<Lanes<std::uint16_t>>(elements) & 0x7C00) == 0x7C00);
    store_lanes(to + i * 4, number(extended<std::int32_t, std::int16_t, 0>(elements)));
    store_lanes(to + i * 4 + vector_bytes, number(extended<std::int32_t, std::int16_t, 1>(elements)));
  }
  if (any(specials)) [[unlikely]]
    return widen_elements<Float16>(to, from, count);
  finish(widen_elements<Float16>, {1, 2, 4, 8}, to, from, i, count);
}

// Floats as a store and a load of `Format` leave them.
template <class Format>
void round_floats(std::byte* to, const std::byte* const* from, std::size_t count) {
  Words is_nan{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Vector floats = load(from[0] + i * 4);
    is_nan |= is_above(as<Words>(floats) & 0x7FFFFFFF, 0x7F800000);
    store(to + i * 4, Format::round(floats));
  }
  for (std::size_t k = 0; any(is_nan) && k < i; k += 4) store(to + k * 4, Format::widen(Format::narrow(load(from[0] + k * 4))));
  finish(round_floats<Format>, {1, 4, 4, 4}, to, from, i, count);
}

struct ToFloat {
  template <class L>
  static Lanes<float> of(const L& x) {
    return __builtin_convertvector(x, Lanes<float>);
  }
};
struct Truncate {
  static Lanes<std::int32_t> of(const Lanes<float>& x) {
    constexpr float limit = 0x1p31F;
    const auto fits = (x >= -limit) & (x < limit);
    const auto fitting = as<Lanes<float>>(as<Lanes<std::int32_t>>(x) & fits);
    return select(fits, __builtin_convertvector(fitting, Lanes<std::int32_t>),
                  Lanes<std::int32_t>{} + std::numeric_limits<std::int32_t>::min());
  }
};
struct IsNotZero {
  template <class L>
  static auto of(const L& x) {
    return (x != 0) & 1;
  }
};

// Between float and double. Instructions make signaling NaNs quiet, so NaNs are converted by their bits. Looking for them at
// the end takes 0.7 of the time that a branch in each step takes.
void promote(std::byte* to, const std::byte* const* from, std::size_t count) {
  Lanes<std::int32_t> has_nan{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const auto floats = load_lanes<float>(from[0] + i * 4);
    has_nan |= nan_mask(floats);
    store(to + i * 8, promote_first(as<Vector>(floats)));
    constexpr std::index_sequence<8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7> last_first;
    store(to + i * 8 + vector_bytes, promote_first(shuffle(as<Vector>(floats), last_first)));
  }
  for (std::size_t k = 0; any(has_nan) && k < i; ++k) {
    const double value = float32_format.value(static_cast<std::uint32_t>(load_bits(from[0] + k * 4, 4)));
    if (std::isnan(value)) std::memcpy(to + k * 8, &value, sizeof value);
  }
  finish(promote, {1, 4, 8, 4}, to, from, i, count);
}

void demote(std::byte* to, const std::byte* const* from, std::size_t count) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const Vector first = load(from[0] + i * 8);
    const Vector last = load(from[0] + i * 8 + vector_bytes);
    const auto floats = as<Lanes<float>>(first_halves<16>(demoted(first), demoted(last)));
    store_lanes(to + i * 4, floats);
    if (!any(nan_mask(floats))) [[likely]]
      continue;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t bits = float_bits(as<Lanes<double>>(lane < 2 ? first : last)[lane % 2]);
      std::memcpy(to + (i + lane) * 4, &bits, sizeof bits);
    }
  }
  finish(demote, {1, 8, 4, 4}, to, from, i, count);
}

// SIMD does not convert integers of 64 bits.
template <class To, class From>
void one_by_one(std::byte* to, const std::byte* const* from, std::size_t count) {
  auto* results = reinterpret_cast<To*>(to);
  const auto* values = reinterpret_cast<const From*>(from[0]);
  for (std::size_t i = 0; i < count; ++i) results[i] = element_as<To>(values[i]);
}

// Cuts off the bits of a double that a float has no room for, and sets the last bit that is kept if one of them was set. So
// the float rounds to the float16 to which the double rounds.
struct RoundToOdd {
  static Lanes<std::uint64_t> of(const Lanes<std::uint64_t>& x) {
    constexpr std::uint64_t cut = (std::uint64_t{1} << 29) - 1;
    return (x | ((x & cut) + cut)) & ~cut;
  }
};

// Rounding to float32 first would change what comes out.
bool is_exact(Dtype to, Dtype from) {
  if (!is_half(to)) return true;
  const int bits = info(from).bits;
  // float16: integers that float32 rounds become infinity, and doubles are rounded to odd.
  return to == Dtype::float16 || bits <= (is_real(from) ? 32 : 16);
}

}  // namespace

ConversionSteps::ConversionSteps(Dtype to, Dtype from) : from_size_(item_size(from)), to_size_(item_size(to)) {
  const AccumulateType source = accumulate_type_of(from);
  const AccumulateType result = accumulate_type_of(to);
  if (to == Dtype::boolean && from_size_ == 1 && source.load != nullptr) {
    add(unary<std::uint8_t, IsNotZero>);
    way_.exists = true;
    return;
  }
  add(source.load);
  if (to == Dtype::boolean) {
    way_.exists = add_bools(source.dtype);
  } else {
    if (to == Dtype::float16 && from == Dtype::float64) add(unary<std::uint64_t, RoundToOdd>);
    way_.exists = is_exact(to, from) && add_between(result.dtype, source.dtype);
  }
  add(result.store);
}

void ConversionSteps::run(std::byte* to, const std::byte* from, std::size_t count) const {
  if (way_.count == 0) return copy_bytes(to, from, count * to_size_);
  if (way_.count == 1) return way_.loops[0](to, &from, count);
  // Two in turn: a loop that makes elements larger may not write where it reads.
  alignas(vector_bytes) std::byte blocks[2][block_items * 8];
  for (std::size_t done = 0; done < count; done += block_items) {
    const std::size_t items = std::min(block_items, count - done);
    const std::byte* at = from + done * from_size_;
    for (std::size_t i = 0; i < way_.count; ++i) {
      std::byte* const next = i + 1 == way_.count ? to + done * to_size_ : blocks[i % 2];
      way_.loops[i](next, &at, items);
      at = next;
    }
  }
}

bool ConversionSteps::add_bools(Dtype from) {
  const bool is_wide = info(from).bits == 64;
  add(is_wide ? unary<std::uint64_t, IsNotZero> : is_real(from) ? unary<float, IsNotZero> : unary<std::uint32_t, IsNotZero>);
  if (is_wide) add(narrow_elements<Int32>);
  return from != Dtype::float64 && item_size(from) >= 4;
}

// To integers of 32 and 64 bits.
bool ConversionSteps::add_from_double(Dtype to) {
  if (to == Dtype::uint64) return false;
  add(to == Dtype::int32 ? one_by_one<std::int32_t, double> : one_by_one<std::int64_t, double>);
  if (to == Dtype::uint32) add(narrow_elements<Int32>);
  return true;
}

// Between types of 32 and 64 bits.
bool ConversionSteps::add_between(Dtype to, Dtype from) {
  if (to == from) return true;
  if (!is_real(to) && !is_real(from)) {
    const int bits = info(from).bits;
    if (bits != info(to).bits)
      add(bits == 64 ? narrow_elements<Int32> : from == Dtype::uint32 ? widen_elements<Uint32> : widen_elements<Int32>);
    return true;
  }
  if (from == Dtype::float64 && !is_real(to)) return add_from_double(to);
  if (to == Dtype::float64 && !is_real(from)) {
    add(from == Dtype::int32    ? widen_elements<Integer<std::int32_t, double>>
        : from == Dtype::uint32 ? widen_elements<Integer<std::uint32_t, double>>
        : from == Dtype::uint64 ? one_by_one<double, std::uint64_t>
                                : one_by_one<double, std::int64_t>);
    return true;
  }
  constexpr struct {
    Dtype to;
    Dtype from;
    InnerLoop loop;
  } loops[] = {
      {Dtype::float32, Dtype::int32, unary<std::int32_t, ToFloat>},
      {Dtype::float32, Dtype::uint32, unary<std::uint32_t, ToFloat>},
      {Dtype::int32, Dtype::float32, unary<float, Truncate>},
      {Dtype::float32, Dtype::float64, demote},
      {Dtype::float64, Dtype::float32, promote},
      {Dtype::float32, Dtype::int64, one_by_one<float, std::int64_t>},
      {Dtype::int64, Dtype::float32, one_by_one<std::int64_t, float>},
  };
  for (const auto& pair : loops) {
    if (pair.to != to || pair.from != from) continue;
    add(pair.loop);
    return true;
  }
  return false;
}

Conversion conversion_of(Dtype to, Dtype from) {
  const auto has_loops = [](Dtype dtype) {
    const DtypeInfo& type = info(dtype);
    const bool is_number = is_real(dtype) || type.kind == DtypeKind::signed_integer || type.kind == DtypeKind::unsigned_integer;
    return dtype == Dtype::boolean || (is_number && type.bits >= 8);
  };
  return has_loops(to) && has_loops(from) ? ConversionSteps(to, from).way() : Conversion{};
}

AccumulateType accumulate_type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16: return {Dtype::float32, widen_halves, narrow_elements<Float16>, round_floats<Float16>};
    case Dtype::bfloat16: return {Dtype::float32, widen_elements<Bfloat16>, narrow_elements<Bfloat16>, round_floats<Bfloat16>};
    case Dtype::int16: return {Dtype::int32, widen_elements<Int16>, narrow_elements<Uint16>};
    case Dtype::uint16: return {Dtype::int32, widen_elements<Uint16>, narrow_elements<Uint16>};
    case Dtype::int8: return {Dtype::int32, widen_elements<Int8>, narrow_elements<Uint8>};
    case Dtype::boolean:
    case Dtype::uint8: return {Dtype::int32, widen_elements<Uint8>, narrow_elements<Uint8>};
    default: return {dtype, nullptr, nullptr};
  }
}

}  // namespace broadloom
