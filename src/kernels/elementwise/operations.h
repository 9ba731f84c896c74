// Operations on elements, for the loops: on lanes where SIMD has them, else on one or two numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/base/lane_math.h"

namespace broadloom::operations {

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
// SIMD has no products of bytes. A product of 16 bits has the product of the lower bytes in its lower byte; another one, with
// the lower byte cleared, has the product of the upper bytes.
struct MultiplyBytes {
  static Lanes<std::uint8_t> of(const Lanes<std::uint8_t>& a, const Lanes<std::uint8_t>& b) {
    const auto x = as<Lanes<std::uint16_t>>(a);
    const auto y = as<Lanes<std::uint16_t>>(b);
    return as<Lanes<std::uint8_t>>((x * y & 0xFF) | (x >> 8) * (y & 0xFF00));
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
// Compares float16 by its bits: numbers are in the order of their magnitudes with their signs, and 0 is -0.
template <class Compare>
struct OfHalves {
  static auto of(const Lanes<std::int16_t>& a, const Lanes<std::int16_t>& b) {
    const auto order = [](const Lanes<std::int16_t>& x) { return ((x & 0x7FFF) ^ (x >> 15)) - (x >> 15); };
    const auto is_number = [](const Lanes<std::int16_t>& x) { return (x & 0x7FFF) <= 0x7C00; };
    return Compare::of(order(a), order(b)) & is_number(a) & is_number(b);
  }
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
      return Less::of(b, a) ? b : a;
    }
  }
};
struct Maximum {
  template <class L>
  static L of(const L& a, const L& b) {
    if constexpr (is_float<L>) {
      return max(a, b);
    } else {
      return Less::of(a, b) ? b : a;
    }
  }
};

struct Negate {
  template <class L>
  static L of(const L& x) {
    return -x;
  }
};
// The magnitude of signed lanes, which are given as unsigned ones.
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
struct Round {
  template <class L>
  static L of(const L& x) {
    return nearest(x);
  }
};
struct Reciprocal {
  template <class L>
  static L of(const L& x) {
    return 1 / x;
  }
};
struct Sign {
  template <class L>
  static L of(const L& x) {
    if constexpr (is_float<L>) {
      return select(x > 0, L{} + 1, select(x < 0, L{} - 1, x + 0));
    } else {
      return as<L>(x < 0) | (as<L>(x > 0) & 1);
    }
  }
};
// The sign of float16, by its bits. A NaN becomes a quiet one.
struct SignOfHalf {
  static Lanes<std::int16_t> of(const Lanes<std::int16_t>& x) {
    const auto magnitude = x & 0x7FFF;
    return select(magnitude > 0x7C00, x | 0x0200, (x & INT16_MIN) | 0x3C00) & (magnitude != 0);
  }
};
struct BitNot {
  template <class L>
  static L of(const L& x) {
    return ~x;
  }
};
struct Not {
  template <class L>
  static L of(const L& x) {
    return x ^ 1;
  }
};

struct IsNan {
  template <class L>
  static auto of(const L& x) {
    return nan_mask(x);
  }
};
// Infinity, -infinity, or either.
template <bool positive, bool negative>
struct IsInfinite {
  template <class L>
  static auto of(const L& x) {
    constexpr auto infinity = std::numeric_limits<std::remove_cvref_t<decltype(x[0])>>::infinity();
    if constexpr (positive && negative) {
      return (x == infinity) | (x == -infinity);
    } else {
      return x == (positive ? infinity : -infinity);
    }
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
// The quotient of int32 that come from smaller types, through float: a fraction of such numbers is too far from a whole number
// to be rounded to it. Bytes take 0.4 of the time.
struct SmallQuotient {
  static Lanes<std::int32_t> of(const Lanes<std::int32_t>& a, const Lanes<std::int32_t>& b) {
    const auto real = [](const auto& x) { return __builtin_convertvector(x, Lanes<float>); };
    const auto is_zero = b == 0;
    return __builtin_convertvector(real(a) / real(b - is_zero), Lanes<std::int32_t>) & ~is_zero;
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

// ---- Shifts and powers of integers ----

template <class Shift>
struct Shifted {
  template <class T>
  static T of(T a, T b) {
    return b < std::numeric_limits<T>::digits ? static_cast<T>(Shift::of(a, b)) : T{0};
  }
};
struct Left {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a << b);
  }
};
struct Right {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a >> b);
  }
};

// By repeated squaring.
struct Power {
  template <class T>
  static T of(T base, T exponent) {
    using Unsigned = std::make_unsigned_t<T>;
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base != -1) return 0;
    }
    auto square = static_cast<Unsigned>(base);
    Unsigned result = 1;
    // A power of -1 depends on whether the exponent is odd, so the last bit of a negative exponent is enough.
    for (auto rest = exponent < 0 ? static_cast<Unsigned>(exponent & 1) : static_cast<Unsigned>(exponent); rest != 0;
         rest >>= 1U) {
      if ((rest & 1U) != 0) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
};

}  // namespace broadloom::operations
