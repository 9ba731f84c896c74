// An operator that plans put in the place of a product in float32 of numbers that were quantised, and of the quantisation of
// its result. No file has this operator.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// y = quantized_and_dequantized(a * b + bias, divisor, least, greatest, factor), in float32 and with its bits; without `bias`,
// a * b. All others have one element, except b_scale and b_zero, which may have one for each column.
//
// `a` has integers times a_scale. `b` is of 8 bits, without a batch: it stands for (b - b_zero) * b_scale. Or it is of float32:
// then it has integers times b_scale, from b_zero to b_zero + 255. If 'transB' is not 0, b is transposed.
//
// See kernels/products/settle.h. Scales and the divisor are within its limits, and integers have 9 bits.
namespace op {
extern const Operator quantised_product;
}
namespace quantised_product_inputs {
enum : std::uint8_t { a, b, divisor, least, greatest, factor, a_scale, b_scale, b_zero, bias, how_many };
}

}  // namespace broadloom
