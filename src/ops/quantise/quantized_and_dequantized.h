// An operator that plans put in the place of a QuantizeLinear and the DequantizeLinear after it. No file has this operator.
// This header also has the bounds of quantised elements.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// The least and the greatest element of a type of integers with 16 bits or fewer.
struct QuantisedBounds {
  int least;
  int greatest;
};
inline QuantisedBounds quantised_bounds(const DtypeInfo& type) {
  const bool is_signed = type.kind == DtypeKind::signed_integer;
  const int greatest = (1 << (is_signed ? type.bits - 1 : type.bits)) - 1;
  return {is_signed ? -greatest - 1 : 0, greatest};
}

// The inputs of the operator equal the operands of quantize_and_dequantize in kernels/elementwise/quantize.h; all but the first
// have one element.
namespace op {
extern const Operator quantized_and_dequantized;
}

}  // namespace broadloom
