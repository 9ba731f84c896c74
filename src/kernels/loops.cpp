#include "kernels/loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/copy.h"
#include "kernels/simd.h"

namespace broadloom {
namespace {

// ---- The end of a loop: what does not fill a vector is padded with zeros, and goes through the same loop ----

struct Shape {
  std::size_t operands;
  std::size_t from_size;  // bytes of an element
  std::size_t to_size;
  std::size_t full;  // so many elements the loop takes in one step
};

// `from_size` * `full` at most: 16 elements of 8 bytes.
constexpr std::size_t most_step = 128;

[[gnu::noinline]] void finish(Loop loop, const Shape& shape, std::byte* to, const std::byte* const* from, std::size_t done,
                              std::size_t count) {
  if (done == count) return;
  alignas(vector_bytes) std::byte padded[2][most_step];
  alignas(vector_bytes) std::byte result[most_step];
  for (std::size_t i = 0; i < shape.operands; ++i) {
    for (std::size_t k = 0; k < shape.full * shape.from_size; k += vector_bytes) store(padded[i] + k, Vector{});
    copy_bytes(padded[i], from[i] + done * shape.from_size, (count - done) * shape.from_size);
  }
  const std::byte* const operands[] = {padded[0], padded[1]};
  loop(result, operands, shape.full);
  copy_bytes(to + done * shape.to_size, result, (count - done) * shape.to_size);
}

// ---- Loops over vectors ----

template <class T, class Op>
void unary(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<T>;
  const std::byte* x = from[0];
  std::size_t i = 0;
  for (; i + step <= count; i += step) store_lanes(to + i * sizeof(T), Op::of(load_lanes<T>(x + i * sizeof(T))));
  finish(unary<T, Op>, {1, sizeof(T), sizeof(T), step}, to, from, i, count);
}

template <class T, class Op>
void binary(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<T>;
  const std::byte* a = from[0];
  const std::byte* b = from[1];
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const std::size_t at = i * sizeof(T);
    store_lanes(to + at, Op::of(load_lanes<T>(a + at), load_lanes<T>(b + at)));
  }
  finish(binary<T, Op>, {2, sizeof(T), sizeof(T), step}, to, from, i, count);
}

// Of each lane of `size` bytes, its first half.
template <std::size_t size, std::size_t... bytes>
Vector narrow(const Vector& first, const Vector& second, std::index_sequence<bytes...>) {
  constexpr std::size_t half = size / 2;
  return shuffle(first, second, std::index_sequence<(bytes / half * size + bytes % half)...>());
}

// The masks of as many comparisons as lanes of `width` bytes are in a vector.
template <class T, class Op, std::size_t width>
Vector masks(const std::byte* a, const std::byte* b) {
  if constexpr (width == sizeof(T)) {
    return as<Vector>(Op::of(load_lanes<T>(a), load_lanes<T>(b)));
  } else {
    constexpr std::size_t next = vector_bytes / (2 * width) * sizeof(T);
    return narrow<2 * width>(masks<T, Op, 2 * width>(a, b), masks<T, Op, 2 * width>(a + next, b + next),
                             std::make_index_sequence<vector_bytes>());
  }
}

template <class T, class Op>
void comparison(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = vector_bytes;
  const std::byte* a = from[0];
  const std::byte* b = from[1];
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto bytes = as<Lanes<std::uint8_t>>(masks<T, Op, 1>(a + i * sizeof(T), b + i * sizeof(T)));
    store_lanes(to + i, bytes & 1);
  }
  finish(comparison<T, Op>, {2, sizeof(T), 1, step}, to, from, i, count);
}

// What SIMD does not have.
template <class T, class Op>
void scalar(std::byte* to, const std::byte* const* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T a;
    T b;
    std::memcpy(&a, from[0] + i * sizeof(T), sizeof(T));
    std::memcpy(&b, from[1] + i * sizeof(T), sizeof(T));
    const T result = Op::of(a, b);
    std::memcpy(to + i * sizeof(T), &result, sizeof(T));
  }
}

// ---- Operations on vectors ----

struct Add {
  template <class L>
  static L of(const L& a, const L& b) {
    return a + b;
  }
};
struct Subtract {
  template <class L>
  static L of(const L& a, const L& b) {
    return a - b;
  }
};
struct Multiply {
  template <class L>
  static L of(const L& a, const L& b) {
    return a * b;
  }
};
struct Divide {
  template <class L>
  static L of(const L& a, const L& b) {
    return a / b;
  }
};
struct And {
  template <class L>
  static L of(const L& a, const L& b) {
    return a & b;
  }
};
struct Or {
  template <class L>
  static L of(const L& a, const L& b) {
    return a | b;
  }
};
struct Xor {
  template <class L>
  static L of(const L& a, const L& b) {
    return a ^ b;
  }
};

struct Equal {
  template <class L>
  static auto of(const L& a, const L& b) {
    return a == b;
  }
};
// SIMD orders 64-bit integers as signed ones only.
inline Lanes<std::int64_t> ordered(const Lanes<std::uint64_t>& x) {
  return as<Lanes<std::int64_t>>(x ^ (std::uint64_t{1} << 63U));
}
struct Less {
  template <class L>
  static auto of(const L& a, const L& b) {
    return a < b;
  }
  static auto of(const Lanes<std::uint64_t>& a, const Lanes<std::uint64_t>& b) { return ordered(a) < ordered(b); }
};
struct LessOrEqual {
  template <class L>
  static auto of(const L& a, const L& b) {
    return a <= b;
  }
  static auto of(const Lanes<std::uint64_t>& a, const Lanes<std::uint64_t>& b) { return ordered(a) <= ordered(b); }
};

template <class L>
inline constexpr bool is_float = std::is_same_v<L, Lanes<float>> || std::is_same_v<L, Lanes<double>>;

struct Minimum {
  template <class L>
  static L of(const L& a, const L& b) {
    if constexpr (is_float<L>) {
      return min(a, b);
    } else {
      return select(Less::of(b, a), b, a);
    }
  }
};
struct Maximum {
  template <class L>
  static L of(const L& a, const L& b) {
    if constexpr (is_float<L>) {
      return max(a, b);
    } else {
      return select(Less::of(a, b), b, a);
    }
  }
};

struct Negate {
  template <class L>
  static L of(const L& x) {
    return -x;
  }
};
// Of signed lanes, given as unsigned ones.
template <class Signed>
struct Absolute {
  template <class L>
  static L of(const L& x) {
    return select(as<Lanes<Signed>>(x) < 0, -x, x);
  }
};
template <class Bits>
struct WithoutSign {
  template <class L>
  static L of(const L& x) {
    return as<L>(as<Lanes<Bits>>(x) & (std::numeric_limits<Bits>::max() >> 1U));
  }
};
struct SquareRoot {
  template <class L>
  static L of(const L& x) {
    return sqrt(x);
  }
};
struct Floor {
  template <class L>
  static L of(const L& x) {
    return floor(x);
  }
};
struct Ceil {
  template <class L>
  static L of(const L& x) {
    return ceil(x);
  }
};
struct Not {
  template <class L>
  static L of(const L& x) {
    return x ^ 1;
  }
};

// ---- Division ----

// The divisor -1 and the smallest number have a quotient that no type holds: it wraps around.
template <class T>
bool negates(T divisor) {
  return std::is_signed_v<T> && divisor == static_cast<T>(-1);
}
struct Quotient {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return 0;
    return negates(b) ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a)) : a / b;
  }
};
struct Remainder {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(std::fmod(static_cast<double>(a), static_cast<double>(b)));
    } else {
      return b == 0 || negates(b) ? T{0} : static_cast<T>(a % b);
    }
  }
};
struct Modulo {
  template <class T>
  static T of(T a, T b) {
    const T rest = Remainder::of(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};

// ---- Conversions ----

template <class From, class To>
void convert(std::byte* to, const std::byte* const* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    From element;
    std::memcpy(&element, from[0] + i * sizeof(From), sizeof(From));
    const To converted = static_cast<To>(element);  // NOLINT(bugprone-signed-char-misuse): the sign is to be kept
    std::memcpy(to + i * sizeof(To), &converted, sizeof(To));
  }
}

using Words = Lanes<std::uint32_t>;

// The bits of four 16-bit numbers as those of float32, and the other way round.
struct Float16 {
  static constexpr std::uint32_t infinity = 0x7F800000;
  static constexpr std::uint32_t largest_rest = 0x47800000;  // 2^16: what is not below becomes infinity, or is NaN
  static constexpr std::uint32_t least_normal = 0x38800000;  // 2^-14

  static Words widen(const Words& bits) {
    const Words magnitude = (bits & 0x7FFF) << 13;
    // Shifted, the exponent is 112 too low; those that hold infinity and NaN keep all ones.
    const Words scaled = as<Words>(as<Lanes<float>>(magnitude) * 0x1p112F);
    const Words special = magnitude | infinity;
    const Words mask = as<Words>(magnitude >= 0x0F800000U);
    return ((bits & 0x8000) << 16) | select(mask, special, scaled);
  }
  static Words narrow(const Words& bits) {
    const Words magnitude = bits & 0x7FFFFFFF;
    // Rounds to nearest, ties to even; a carry goes into the exponent.
    const Words normal = (magnitude - 0x38000000U + 0xFFFU + ((magnitude >> 13) & 1U)) >> 13;
    // Where the least step is 2^-24, an addition rounds.
    const Words denormal = as<Words>(as<Lanes<float>>(magnitude) + 0.5F) - 0x3F000000U;
    const Words none{};
    const Words nan = as<Words>(magnitude > infinity) & 0x200U;
    Words result = select(as<Words>(magnitude < least_normal), denormal, normal);
    result = select(as<Words>(magnitude >= largest_rest), none + 0x7C00U + nan, result);
    return ((bits >> 16) & 0x8000U) | result;
  }
};
struct Bfloat16 {
  static Words widen(const Words& bits) { return bits << 16; }
  static Words narrow(const Words& bits) {
    const Words rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    return select(as<Words>((bits & 0x7FFFFFFF) > 0x7F800000U), (bits >> 16) | 0x40U, rounded);
  }
};

template <class Format>
void widen(std::byte* to, const std::byte* const* from, std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const Vector bits = load(from[0] + i * 2);
    const Vector zeros{};
    const Vector low = shuffle(bits, zeros, std::index_sequence<0, 1, 16, 16, 2, 3, 16, 16, 4, 5, 16, 16, 6, 7, 16, 16>());
    const Vector high =
        shuffle(bits, zeros, std::index_sequence<8, 9, 16, 16, 10, 11, 16, 16, 12, 13, 16, 16, 14, 15, 16, 16>());
    store_lanes(to + i * 4, Format::widen(as<Words>(low)));
    store_lanes(to + i * 4 + vector_bytes, Format::widen(as<Words>(high)));
  }
  finish(widen<Format>, {1, 2, 4, 8}, to, from, i, count);
}

template <class Format>
void narrow(std::byte* to, const std::byte* const* from, std::size_t count) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const Words low = Format::narrow(load_lanes<std::uint32_t>(from[0] + i * 4));
    const Words high = Format::narrow(load_lanes<std::uint32_t>(from[0] + i * 4 + vector_bytes));
    store(to + i * 2, narrow<4>(as<Vector>(low), as<Vector>(high), std::make_index_sequence<vector_bytes>()));
  }
  finish(narrow<Format>, {1, 4, 2, 8}, to, from, i, count);
}

// ---- The table ----

// By computed type: float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64. nullptr for 8- and 16-bit
// integers: they are computed in int32.
using Row = std::array<Loop, 10>;

using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// The same bits come out, whether they are read as signed or not.
template <template <class, class> class Over, class Op>
struct Bitwise {
  template <class T>
  static constexpr Loop loop = Over<T, Op>::loop;
  static constexpr Row row{loop<float>, loop<double>, loop<U8>,  loop<U16>, loop<U32>,
                           loop<U64>,   loop<U8>,     loop<U16>, loop<U32>, loop<U64>};
};
template <class T, class Op>
struct OverBinary {
  static constexpr Loop loop = binary<T, Op>;
};
template <class T, class Op>
struct OverComparison {
  static constexpr Loop loop = comparison<T, Op>;
};
template <class T, class Op>
struct OverUnary {
  static constexpr Loop loop = unary<T, Op>;
};

template <class Op>
constexpr Row wrapping = Bitwise<OverBinary, Op>::row;

// SIMD has no products of bytes.
constexpr Row product() {
  Row row{binary<float, Multiply>, binary<double, Multiply>, nullptr,
          binary<U16, Multiply>,   binary<U32, Multiply>,    binary<U64, Multiply>};
  for (std::size_t i = 7; i < row.size(); ++i) row[i] = row[i - 4];
  return row;
}

template <class Op>
constexpr Row integer_division(Loop of_float, Loop of_double) {
  return {of_float,        of_double, nullptr, nullptr,         scalar<I32, Op>,
          scalar<I64, Op>, nullptr,   nullptr, scalar<U32, Op>, scalar<U64, Op>};
}

template <class Op>
constexpr Row extremes{binary<float, Op>, binary<double, Op>, binary<I8, Op>,  binary<I16, Op>, binary<I32, Op>,
                       binary<I64, Op>,   binary<U8, Op>,     binary<U16, Op>, binary<U32, Op>, binary<U64, Op>};

template <class Op>
constexpr Row ordering{comparison<float, Op>, comparison<double, Op>, nullptr, nullptr,
                       comparison<I32, Op>,   comparison<I64, Op>,    nullptr, nullptr,
                       comparison<U32, Op>,   comparison<U64, Op>};

template <class Op>
constexpr Row of_bools{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, binary<U8, Op>};

template <class Op>
constexpr Row of_floats{unary<float, Op>, unary<double, Op>};

constexpr Row table[] = {
    wrapping<Add>,
    wrapping<Subtract>,
    product(),
    integer_division<Quotient>(binary<float, Divide>, binary<double, Divide>),
    integer_division<Modulo>(nullptr, nullptr),
    integer_division<Remainder>(scalar<float, Remainder>, scalar<double, Remainder>),
    extremes<Minimum>,
    extremes<Maximum>,
    Bitwise<OverComparison, Equal>::row,
    ordering<Less>,
    ordering<LessOrEqual>,
    of_bools<And>,
    of_bools<Or>,
    of_bools<Xor>,
    Bitwise<OverUnary, Negate>::row,
    {unary<float, WithoutSign<U32>>, unary<double, WithoutSign<U64>>, unary<U8, Absolute<I8>>, unary<U16, Absolute<I16>>,
     unary<U32, Absolute<I32>>, unary<U64, Absolute<I64>>},
    of_floats<SquareRoot>,
    of_floats<Floor>,
    of_floats<Ceil>,
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, unary<U8, Not>},
};

std::size_t column_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32: return 0;
    case Dtype::float64: return 1;
    case Dtype::int8: return 2;
    case Dtype::int16: return 3;
    case Dtype::int32: return 4;
    case Dtype::int64: return 5;
    case Dtype::uint16: return 7;
    case Dtype::uint32: return 8;
    case Dtype::uint64: return 9;
    default: return 6;  // uint8 and bool
  }
}

}  // namespace

Computation computation_of(Operation operation, Dtype dtype) {
  const Row& row = table[static_cast<std::size_t>(operation)];
  Computation result{nullptr, dtype, nullptr, nullptr};
  if (dtype == Dtype::float16) {
    result = {row[0], Dtype::float32, widen<Float16>, narrow<Float16>};
  } else if (dtype == Dtype::bfloat16) {
    result = {row[0], Dtype::float32, widen<Bfloat16>, narrow<Bfloat16>};
  } else {
    result.loop = row[column_of(dtype)];
  }
  if (result.loop == nullptr) {
    constexpr Loop loads[] = {convert<I8, I32>, convert<I16, I32>, convert<U8, I32>, convert<U16, I32>};
    const bool is_signed = info(dtype).kind == DtypeKind::signed_integer;
    const bool is_byte = info(dtype).bits == 8;
    result = {row[column_of(Dtype::int32)], Dtype::int32, loads[(is_signed ? 0 : 2) + (is_byte ? 0 : 1)],
              is_byte ? convert<I32, U8> : convert<I32, U16>};
  }
  if (gives_bools(operation)) result.store = nullptr;
  return result;
}

}  // namespace broadloom
