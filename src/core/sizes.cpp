// Arithmetic on sizes: numbers here, symbolic ones by Expressions.
#include <algorithm>

#include "core/expressions.h"
#include "core/integers.h"

namespace broadloom {
namespace {

// The result of an operation on numbers, or unknown_size if it overflows.
Size unless_overflowing(bool overflows, std::int64_t number) { return overflows ? unknown_size : number_or_unknown(number); }

bool has_quotient(std::int64_t a, std::int64_t b) { return b != 0 && (b != -1 || a != INT64_MIN); }

bool are_numbers(Size a, Size b) { return a.is_number() && b.is_number(); }

}  // namespace

Size Sizes::add(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::add, a, b);
  std::int64_t sum = 0;
  const bool overflows = __builtin_add_overflow(a.number(), b.number(), &sum);
  return unless_overflowing(overflows, sum);
}

Size Sizes::subtract(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::subtract, a, b);
  std::int64_t difference = 0;
  const bool overflows = __builtin_sub_overflow(a.number(), b.number(), &difference);
  return unless_overflowing(overflows, difference);
}

Size Sizes::multiply(Size a, Size b) const {
  if (!are_numbers(a, b)) return a == 0 || b == 0 ? 0 : symbolic(&Expressions::multiply, a, b);
  std::int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a.number(), b.number(), &product);
  return unless_overflowing(overflows, product);
}

Size Sizes::floor_divide(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::floor_divide, a, b);
  return has_quotient(a.number(), b.number()) ? number_or_unknown(floor_quotient(a.number(), b.number())) : unknown_size;
}

Size Sizes::ceil_divide(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::ceil_divide, a, b);
  return has_quotient(a.number(), b.number()) ? number_or_unknown(ceil_quotient(a.number(), b.number())) : unknown_size;
}

Size Sizes::minimum(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::minimum, a, b);
  return std::min(a.number(), b.number());
}

Size Sizes::maximum(Size a, Size b) const {
  if (!are_numbers(a, b)) return symbolic(&Expressions::maximum, a, b);
  return std::max(a.number(), b.number());
}

Size Sizes::symbolic(Size (Expressions::*function)(Size, Size), Size a, Size b) const {
  return expressions_ == nullptr ? unknown_size : (expressions_->*function)(a, b);
}

Size Sizes::unless_wrapping(Size size, Dtype dtype) const {
  return size.is_number() || size.is_unknown() || expressions_->stays_small(size, dtype) ? size : unknown_size;
}

Size Sizes::product(std::span<const Size> sizes) const {
  Size result = 1;
  for (const Size size : sizes) result = multiply(result, size);
  return result;
}

}  // namespace broadloom
