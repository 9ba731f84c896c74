// Counts and bytes of a run: numbers that products cannot wrap around, and their one conversion to an address-sized number.
//
// A view has up to 2^53 elements at no cost, and addresses of wasm have 32 bits. So a product of sizes in std::size_t may wrap
// there, though it does not natively. Sizes are multiplied as Count, and memory is asked for in Count (core/storage.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace broadloom {

// The largest number of elements or bytes: JavaScript can represent larger integers only with rounding.
inline constexpr std::int64_t max_count = (std::int64_t{1} << 53) - 1;

// A number of elements, bytes or steps, at least 0. Sums and products of more than 2^62 are 2^62: no memory has that many
// bytes.
class Count {
 public:
  constexpr Count() = default;
  // A number of elements or bytes, which is not negative.
  template <std::integral Integer>
  constexpr Count(Integer number) : number_(static_cast<std::uint64_t>(number)) {
    if constexpr (std::is_signed_v<Integer>) {
      assert(number >= 0);
    } else {
      number_ = std::min(number_, most);
    }
  }

  // A number that was computed in floating point, rounded down. NaN and what is negative are 0.
  static constexpr Count of(double number) {
    return !(number > 0)                        ? Count()
           : number < static_cast<double>(most) ? Count(static_cast<std::uint64_t>(number))
                                                : Count(most);
  }

  constexpr std::int64_t number() const { return static_cast<std::int64_t>(number_); }
  // The number for clocks and messages.
  constexpr double steps() const { return static_cast<double>(number_); }

  friend constexpr Count operator+(Count a, Count b) { return Count(a.number_ + b.number_); }
  // 64 bits hold the product of two numbers that have 63 bits together.
  [[gnu::noinline]] friend constexpr Count operator*(Count a, Count b) {
    return std::bit_width(a.number_) + std::bit_width(b.number_) > 63 ? Count(most) : Count(a.number_ * b.number_);
  }
  // The quotient, rounded down. The divisor is not 0.
  friend constexpr Count operator/(Count a, Count b) { return Count(a.number_ / b.number_); }
  Count& operator+=(Count other) { return *this = *this + other; }
  Count& operator*=(Count other) { return *this = *this * other; }
  friend constexpr auto operator<=>(const Count&, const Count&) = default;  // NOLINT(modernize-use-nullptr): its 0 is none

  // Whether an address of wasm can hold it. It is the same natively, so that native tests and fuzzers refuse the same sizes.
  constexpr bool is_addressable() const { return number_ <= std::numeric_limits<std::uint32_t>::max(); }

 private:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  std::uint64_t number_ = 0;
};

// The number as an address-sized one. It fits, because it counts elements or bytes that lie in memory, or elements or bytes of
// operands that passed check_operands (ops/call/operator.h). Debug builds check it.
constexpr std::size_t in_memory(Count count) {
  assert(count.is_addressable());
  return static_cast<std::size_t>(count.number());
}
template <std::integral Integer>
constexpr std::size_t in_memory(Integer number) {
  assert(std::in_range<std::size_t>(number));
  return static_cast<std::size_t>(number);
}

// The number modulo the size of the address space: for hashes, and for offsets that are summed in any order and may be
// negative.
template <std::integral Integer>
constexpr std::size_t wrapped(Integer number) {
  return static_cast<std::size_t>(number);
}

// The number of an enumerator, for tables with a place for each.
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::size_t place_of(Enum value) { return static_cast<std::size_t>(value); }

}  // namespace broadloom
