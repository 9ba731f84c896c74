// An operator that plans have in place of a QuantizeLinear and the DequantizeLinear behind it. No file has it.
#pragma once

#include "ops/operator.h"

namespace broadloom::op {

// Its inputs are those of kernels/quantize.h, quantize_and_dequantize: all but the first have one element.
extern const Operator quantized_and_dequantized;

}  // namespace broadloom::op
