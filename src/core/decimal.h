// Numbers in decimal digits: exact conversions between texts and binary numbers, without the tables and the long double of a
// C library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace broadloom {

// A number that is not negative: 0.d1d2d3... times a power of ten. It holds every double exactly; of longer texts it keeps
// enough digits to tell on which side of any double, or of the middle between two, they lie.
class Decimal {
 public:
  explicit Decimal(std::uint64_t integer);
  explicit Decimal(double magnitude);  // finite

  // A number in plain or scientific form, without a sign. Nothing when the text is none.
  static std::optional<Decimal> parse(std::string_view text);

  // Rounds to at most so many digits, to nearest, ties to even.
  void round(std::size_t digits);

  // The nearest double, ties to even. `to_odd`: of the two doubles beside a number that is none itself, the one whose last bit
  // is set: rounding that to a shorter format gives what rounding the number itself would.
  double to_double(bool to_odd = false) const;
  // Without its fraction. Nothing above 2^64 - 1.
  std::optional<std::uint64_t> to_integer() const;

  // Writes it in as few characters as its digits need: in scientific form for exponents below -4 or from `most_plain` on.
  static constexpr std::size_t longest = 32;  // of a number with up to 20 digits
  std::size_t write(char* to, int most_plain) const;

 private:
  // A double has at most 767 digits, and so has the middle of two.
  static constexpr std::size_t most_digits = 800;
  static constexpr int most_shift = 59;

  void shift(int bits);  // times 2^bits, which is at most most_shift in either direction
  void multiply(int bits);
  void divide(int bits);
  void set_integer(std::uint64_t integer);
  void trim();
  // How a number with digits behind the first `digits` lies to the middle: -1 below, 0 on it, 1 above.
  int tail(std::size_t digits) const;

  std::uint8_t digits_[most_digits + 20];
  std::size_t count_ = 0;
  std::int64_t point_ = 0;  // how many digits are before the point
  bool is_cut_ = false;     // digits that are not all zeros were dropped behind the last
};

}  // namespace broadloom
