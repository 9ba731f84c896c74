// Rounds quotients to quantised elements, and dequantises them.
#pragma once

#include "kernels/base/loop.h"

namespace broadloom {

// From five operands of T (dividend, divisor, zero point, least and greatest result): the integer nearest to
// the quotient, ties to even, plus the zero point, clamped to the bounds. The last three operands are integers of at most
// 16 bits. NaN becomes the least result. Only the low 16 bits of an element of the size of T are the result.
template <class T>
void quantize(std::byte* to, const std::byte* const* from, std::size_t count);
extern template void quantize<float>(std::byte* to, const std::byte* const* from, std::size_t count);
extern template void quantize<double>(std::byte* to, const std::byte* const* from, std::size_t count);

// From five float32 (dividend, divisor, bounds, and a factor): the integer nearest to the quotient between the bounds, which
// are integers of at most 17 bits, times the factor. Of NaN, the lower bound. It is what a quantised element stands for; the
// bounds are less its zero point.
void quantize_and_dequantize(std::byte* to, const std::byte* const* from, std::size_t count);

// The scale and the zero point of uint8 elements between the least and the greatest of numbers and 0. The scale of zeros is 1.
struct DynamicLevels {
  float scale;
  float zero;
};
DynamicLevels dynamic_levels(float least, float greatest);

// From an int32, an int32 zero point and a float32 scale: their difference times the scale, as float32.
void dequantize(std::byte* to, const std::byte* const* from, std::size_t count);

}  // namespace broadloom
