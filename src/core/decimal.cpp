#include "core/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/bits.h"
#include "core/count.h"

namespace broadloom {
namespace {

// The exponent of the least double, and the powers of ten beyond which all doubles are infinite or zero.
constexpr int least_exponent = -1074;
constexpr std::int64_t far = 400;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

}  // namespace

Decimal::Decimal(std::uint64_t integer) { set_integer(integer); }

Decimal::Decimal(double magnitude) {
  const auto bits = bits_as<std::uint64_t>(magnitude);
  constexpr std::uint64_t one = std::uint64_t{1} << 52;
  const int exponent = static_cast<int>(bits >> 52);
  set_integer((bits & (one - 1)) | (exponent > 0 ? one : 0));
  for (int left = std::max(exponent, 1) - 1 + least_exponent; left != 0;) {
    const int step = std::clamp(left, -most_shift, most_shift);
    shift(step);
    left -= step;
  }
}

void Decimal::set_integer(std::uint64_t integer) {
  std::uint8_t* end = digits_ + 20;
  std::uint8_t* first = end;
  for (; integer > 0; integer /= 10) *--first = static_cast<std::uint8_t>(integer % 10);
  count_ = in_memory(end - first);
  point_ = static_cast<std::int64_t>(count_);
  std::memmove(digits_, first, count_);
  trim();
}

std::optional<Decimal> Decimal::parse(std::string_view text) {
  Decimal result(std::uint64_t{0});
  bool has_digit = false;
  bool has_point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (!is_digit(text[i])) break;
    has_digit = true;
    const auto digit = static_cast<std::uint8_t>(text[i] - '0');
    const bool is_leading = result.count_ == 0 && digit == 0;
    if (has_point ? is_leading : !is_leading) result.point_ += has_point ? -1 : 1;
    if (is_leading) continue;
    if (result.count_ < most_digits) {
      result.digits_[result.count_++] = digit;
    } else {
      result.is_cut_ = result.is_cut_ || digit != 0;
    }
  }
  if (!has_digit) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    ++i;
    const bool is_negative = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (i == text.size()) return std::nullopt;
    std::int64_t exponent = 0;
    for (; i < text.size(); ++i) {
      if (!is_digit(text[i])) return std::nullopt;
      exponent = std::min<std::int64_t>(exponent * 10 + (text[i] - '0'), std::int64_t{1} << 40);
    }
    result.point_ += is_negative ? -exponent : exponent;
  }
  result.trim();
  return result;
}

void Decimal::trim() {
  while (count_ > 0 && digits_[count_ - 1] == 0) --count_;
  if (count_ == 0) point_ = 0;
}

void Decimal::shift(int bits) { bits > 0 ? multiply(bits) : divide(-bits); }

void Decimal::multiply(int bits) {
  std::uint64_t carry = 0;
  for (std::size_t i = count_; i-- > 0;) {
    carry += static_cast<std::uint64_t>(digits_[i]) << bits;
    digits_[i] = static_cast<std::uint8_t>(carry % 10);
    carry /= 10;
  }
  const Decimal front(carry);
  const auto more = in_memory(front.point_);
  std::memmove(digits_ + more, digits_, count_);
  std::memset(digits_, 0, more);
  std::memcpy(digits_, front.digits_, front.count_);
  count_ += more;
  point_ += front.point_;
  for (; count_ > most_digits; --count_) is_cut_ = is_cut_ || digits_[count_ - 1] != 0;
  trim();
}

void Decimal::divide(int bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t rest = 0;
  std::size_t written = 0;
  std::int64_t point = point_;
  for (std::size_t i = 0; i < count_ || rest != 0; ++i) {
    rest = rest * 10 + (i < count_ ? digits_[i] : 0U);
    const auto digit = static_cast<std::uint8_t>(rest >> bits);
    rest &= mask;
    if (written == 0 && digit == 0) {
      --point;
    } else if (written < most_digits) {
      digits_[written++] = digit;
    } else {
      is_cut_ = is_cut_ || digit != 0;
    }
  }
  count_ = written;
  point_ = point;
  trim();
}

int Decimal::tail(std::size_t digits) const {
  if (digits >= count_) return -1;
  if (digits_[digits] != 5) return digits_[digits] > 5 ? 1 : -1;
  return digits + 1 < count_ || is_cut_ ? 1 : 0;
}

void Decimal::round(std::size_t digits) {
  if (digits >= count_) return;
  const int side = tail(digits);
  const bool goes_up = side > 0 || (side == 0 && (digits_[digits - 1] & 1U) != 0);
  count_ = digits;
  is_cut_ = false;
  if (goes_up) {
    while (count_ > 0 && digits_[count_ - 1] == 9) --count_;
    if (count_ == 0) {
      digits_[count_++] = 1;
      ++point_;
    } else {
      ++digits_[count_ - 1];
    }
  }
  trim();
}

double Decimal::to_double(bool to_odd) const {
  if (count_ == 0 || point_ < -far) return 0;
  if (point_ > far) return std::numeric_limits<double>::infinity();
  Decimal scaled = *this;
  int exponent = 0;
  const auto scale = [&](std::int64_t bits) {
    const auto step = static_cast<int>(std::clamp<std::int64_t>(bits, -most_shift, most_shift));
    scaled.shift(step);
    exponent -= step;
  };
  // Scales to an integer of 53 bits, which has 16 digits. A digit is more than 3 bits, so no step goes too far.
  constexpr std::uint64_t above = std::uint64_t{1} << 53;
  while (scaled.point_ > 16) scale((16 - scaled.point_) * 3);
  while (scaled.point_ < 15) scale((15 - scaled.point_) * 3);
  while (*scaled.to_integer() >= above) scale(-1);
  while (*scaled.to_integer() < above / 2) scale(1);
  while (exponent < least_exponent && scaled.count_ > 0) scale(exponent - least_exponent);
  if (scaled.point_ < 0) return to_odd ? std::numeric_limits<double>::denorm_min() : 0;
  std::uint64_t integer = *scaled.to_integer();
  const auto whole = in_memory(scaled.point_);
  if (to_odd) {
    integer |= scaled.count_ > whole || scaled.is_cut_ ? 1U : 0U;
  } else {
    const int side = scaled.tail(whole);
    integer += side > 0 ? 1U : side == 0 ? integer & 1U : 0U;
  }
  return std::ldexp(static_cast<double>(integer), exponent);
}

std::optional<std::uint64_t> Decimal::to_integer() const {
  if (point_ > 20) return std::nullopt;
  std::uint64_t integer = 0;
  for (std::int64_t i = 0; i < point_; ++i) {
    const std::uint64_t digit = i >= 0 && in_memory(i) < count_ ? digits_[i] : 0U;
    if (integer > (UINT64_MAX - digit) / 10) return std::nullopt;
    integer = integer * 10 + digit;
  }
  return integer;
}

std::size_t Decimal::write(char* to, int most_plain) const {
  char* next = to;
  const auto digit = [&](std::int64_t i) {
    *next++ = static_cast<char>('0' + (i >= 0 && i < static_cast<std::int64_t>(count_) ? digits_[i] : 0));
  };
  const std::int64_t exponent = count_ == 0 ? 0 : point_ - 1;
  const bool is_plain = exponent >= -4 && exponent < most_plain;
  const auto last = static_cast<std::int64_t>(count_);
  const std::int64_t before = is_plain ? std::max<std::int64_t>(point_, 1) : 1;
  const std::int64_t start = is_plain ? point_ - before : 0;
  for (std::int64_t i = start; i < start + before; ++i) digit(i);
  if (start + before < last) *next++ = '.';
  for (std::int64_t i = start + before; i < last; ++i) digit(i);
  if (is_plain) return in_memory(next - to);
  *next++ = 'e';
  *next++ = exponent < 0 ? '-' : '+';
  std::int64_t size = std::abs(exponent);
  if (size >= 100) *next++ = static_cast<char>('0' + size / 100);
  size %= 100;
  *next++ = static_cast<char>('0' + size / 10);
  *next++ = static_cast<char>('0' + size % 10);
  return in_memory(next - to);
}

std::size_t write_shortest(char* to, double number, bool is_float32) {
  const double magnitude = std::abs(number);
  const auto is_same = [&](double other) {
    return is_float32 ? static_cast<float>(other) == static_cast<float>(magnitude) : other == magnitude;
  };
  // The first number of digits is enough for most numbers, the last for all.
  std::size_t digits = is_float32 ? 6 : 15;
  for (const std::size_t most = is_float32 ? 9 : 17;; ++digits) {
    Decimal decimal(magnitude);
    decimal.round(digits);
    if (digits < most && !is_same(decimal.to_double())) continue;
    *to = '-';
    const std::size_t sign = std::signbit(number) ? 1 : 0;
    return sign + decimal.write(to + sign, most_plain_digits);
  }
}

}  // namespace broadloom
