#include "kernels/reduce/integer_mean.h"

#include <cstring>

namespace broadloom {
namespace {

constexpr int half_bits = 32;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

void split_integers(std::int64_t* high, std::int64_t* low, const std::byte* from, std::size_t count, bool is_signed) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    low[i] = static_cast<std::int64_t>(value & UINT32_MAX);
    high[i] = is_signed ? static_cast<std::int64_t>(value) >> half_bits : static_cast<std::int64_t>(value >> half_bits);
  }
}

bool sums_fit(const std::byte* from, std::size_t count, std::int64_t elements, bool is_signed) {
  // All bits that differ from the sign.
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    bits |= is_signed && (value >> 63U) != 0 ? ~value : value;
  }
  return bits < static_cast<std::uint64_t>(INT64_MAX / elements);
}

void means_of_sums(std::byte* to, const std::int64_t* high, const std::int64_t* low, std::size_t count, std::int64_t elements) {
  for (std::size_t i = 0; i < count; ++i) {
    // high / elements is a whole number and a rest below `elements`, which joins the low sum.
    const std::int64_t whole = floor_divide(high[i], elements);
    const std::int64_t rest = ((high[i] - whole * elements) << half_bits) + low[i];
    std::uint64_t mean = (static_cast<std::uint64_t>(whole) << half_bits) + static_cast<std::uint64_t>(rest / elements);
    // So far it is rounded down.
    if (whole < 0 && static_cast<std::int64_t>(mean) < 0 && rest % elements != 0) ++mean;
    std::memcpy(to + i * sizeof mean, &mean, sizeof mean);
  }
}

}  // namespace broadloom
