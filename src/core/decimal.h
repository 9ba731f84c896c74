// Decimal numbers: exact conversions between texts and binary numbers, without the tables and the long double of a
// C library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace broadloom {

// A non-negative number: 0.d1d2d3... times a power of ten. It represents every double exactly. For longer texts it keeps
// enough digits to compare it with any double and with the middle between any two.
class Decimal {
 public:
  explicit Decimal(std::uint64_t integer);
  explicit Decimal(double magnitude);  // finite

  // Parses a number in plain or scientific form, without a sign. Returns nullopt for other texts.
  static std::optional<Decimal> parse(std::string_view text);

  // Rounds to at most `digits` digits, to nearest, ties to even.
  void round(std::size_t digits);

  // The nearest double, ties to even. With `to_odd`, an inexact number becomes the neighbouring double whose last bit
  // is set: rounding that to a shorter format has the same result as rounding the number itself.
  double to_double(bool to_odd = false) const;
  // The number without its fraction; nullopt above 2^64 - 1.
  std::optional<std::uint64_t> to_integer() const;

  // Writes the number in as few characters as possible: in scientific form for exponents below -4 or from `most_plain` on.
  static constexpr std::size_t longest = 32;  // of a number with up to 20 digits
  std::size_t write(char* to, int most_plain) const;

 private:
  // A double has at most 767 digits, and so has the middle of two.
  static constexpr std::size_t most_digits = 800;
  static constexpr int most_shift = 59;

  void shift(int bits);  // multiplies by 2^bits; bits are from -most_shift to most_shift
  void multiply(int bits);
  void divide(int bits);
  void set_integer(std::uint64_t integer);
  void trim();
  // Compares the digits after the first `digits` with one half: -1 below, 0 equal, 1 above.
  int tail(std::size_t digits) const;

  std::uint8_t digits_[most_digits + 20];
  std::size_t count_ = 0;
  std::int64_t point_ = 0;  // the number of digits before the point
  bool is_cut_ = false;     // nonzero digits after the last one were dropped
};

// Writes a finite number with the fewest digits that identify it among doubles, or among float32s.
// Returns how many characters there are.
std::size_t write_shortest(char* to, double number, bool is_float32 = false);
inline constexpr std::size_t longest_number = Decimal::longest + 1;
// A number for Decimal::write: JavaScript writes numbers with more digits before the point in scientific form, too.
inline constexpr int most_plain_digits = 21;

}  // namespace broadloom
