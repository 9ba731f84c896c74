// Rounds quotients to quantised elements, and the way back, besides arithmetic.
#pragma once

#include "kernels/loop.h"

namespace broadloom {

// Of a dividend, a divisor, a zero point, and the least and the greatest result, in five operands of T: the integer nearest to
// the quotient, of two the even one, and the zero point, but no more or less than those. The last three are integers of at most
// 16 bits. NaN gives the least. Only the low 16 bits of an element, which has the size of T, are the result.
template <class T>
void quantize(std::byte* to, const std::byte* const* from, std::size_t count);
extern template void quantize<float>(std::byte* to, const std::byte* const* from, std::size_t count);
extern template void quantize<double>(std::byte* to, const std::byte* const* from, std::size_t count);

// Of an int32, an int32 zero point and a float32 scale: their difference times the scale, as float32.
void dequantize(std::byte* to, const std::byte* const* from, std::size_t count);

}  // namespace broadloom
