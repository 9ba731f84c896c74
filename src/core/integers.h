// Arithmetic on integers that C++ rounds otherwise.
#pragma once

#include <cstdint>

namespace broadloom {

// Quotients, rounded down and up. The divisor is not 0, and the quotient must fit.
constexpr std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
constexpr std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}

}  // namespace broadloom
