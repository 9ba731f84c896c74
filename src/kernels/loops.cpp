#include "kernels/loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/convert.h"

namespace broadloom {
namespace {

// ---- Loops over vectors ----

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

// The masks of as many comparisons as lanes of `width` bytes are in a vector.
template <class T, class Op, std::size_t width>
Vector masks(const std::byte* a, const std::byte* b) {
  if constexpr (width == sizeof(T)) {
    return as<Vector>(Op::of(load_lanes<T>(a), load_lanes<T>(b)));
  } else {
    constexpr std::size_t next = vector_bytes / (2 * width) * sizeof(T);
    return first_halves<2 * width>(masks<T, Op, 2 * width>(a, b), masks<T, Op, 2 * width>(a + next, b + next));
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

// ---- Functions ----

// Those of the C library stand in for vectors.
template <class T, T (*function)(T)>
void elementary(std::byte* to, const std::byte* const* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T x;
    std::memcpy(&x, from[0] + i * sizeof(T), sizeof(T));
    x = function(x);
    std::memcpy(to + i * sizeof(T), &x, sizeof(T));
  }
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
    {elementary<float, std::exp>, elementary<double, std::exp>},
    {elementary<float, std::log>, elementary<double, std::log>},
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
  Widening widening = widening_of(dtype);
  Loop loop = row[column_of(widening.dtype)];
  if (!is_half(dtype) && row[column_of(dtype)] != nullptr) {
    widening = {dtype, nullptr, nullptr};
    loop = row[column_of(dtype)];
  }
  Computation result{loop, widening.dtype, widening.load, widening.store};
  if (gives_bools(operation)) result.store = nullptr;
  return result;
}

}  // namespace broadloom
