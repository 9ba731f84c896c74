// A size of an axis, or an element of a tensor of integers.
#pragma once

#include <cassert>
#include <cstdint>

namespace broadloom {

// A number. Before a run it may also be symbolic: unknown_size, or an expression (core/expressions.h). Class Sizes
// (core/expressions.h) does arithmetic on symbolic sizes; number() reads a number.
class Size {
 public:
  Size() = default;
  // The value must not be reserved. Values of a file are checked by number_or_unknown.
  constexpr Size(std::int64_t number) : word_(number) { assert(is_number()); }

  // A size takes the place of an int64 element of a tensor: symbolic sizes are 2^32 reserved values. So operators that move
  // integers also move expressions.
  static constexpr Size of_word(std::int64_t word) {
    Size size;
    size.word_ = word;
    return size;
  }
  constexpr std::int64_t word() const { return word_; }

  // An int32 element can stand for the first 2^20 symbolic sizes. It has reserved values above INT32_MIN, which is a bound of
  // Slice.
  static constexpr Size of_int32(std::int32_t element) {
    const bool is_reserved = element > INT32_MIN && element <= highest_int32;
    return of_word(is_reserved ? highest_reserved - (highest_int32 - element) : element);
  }
  // unknown_size's element for a size that int32 has no element for.
  constexpr std::int32_t int32() const {
    const std::int64_t element = is_number() ? word_ : highest_int32 - (highest_reserved - word_);
    const bool fits = element >= INT32_MIN && element <= INT32_MAX && of_int32(static_cast<std::int32_t>(element)) == *this;
    return fits ? static_cast<std::int32_t>(element) : highest_int32;
  }

  constexpr bool is_number() const { return word_ > highest_reserved || word_ <= highest_reserved - (std::int64_t{1} << 32); }
  constexpr bool is_unknown() const { return word_ == highest_reserved; }
  constexpr bool is_negative() const { return word_ < 0 && is_number(); }
  constexpr std::int64_t number() const {
    assert(is_number());
    return word_;
  }

  friend constexpr bool operator==(Size a, Size b) = default;
  // Whether both are numbers and not equal.
  friend constexpr bool differ(Size a, Size b) { return a.word_ != b.word_ && a.is_number() && b.is_number(); }

  static constexpr std::int64_t highest_reserved = -(std::int64_t{1} << 62);
  static constexpr std::int32_t highest_int32 = INT32_MIN + (1 << 20);

 private:
  std::int64_t word_;
};

inline constexpr Size unknown_size = Size::of_word(Size::highest_reserved);

// Turns integers of a file with a reserved value into unknown_size.
constexpr Size number_or_unknown(std::int64_t value) {
  const Size size = Size::of_word(value);
  return size.is_number() ? size : unknown_size;
}

// Turns integers of a run with a reserved value into the nearest number. No rule for dims makes a difference between these.
constexpr Size nearest_number(std::int64_t value) {
  const Size size = Size::of_word(value);
  return size.is_number() ? size : Size(Size::highest_reserved - (std::int64_t{1} << 32));
}

}  // namespace broadloom
