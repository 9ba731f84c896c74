// Elementwise operations over operands of any layout.
#pragma once

#include <span>

#include "core/layout.h"
#include "kernels/loops.h"

namespace broadloom {

// An operand: where its element 0 is, and a layout of the result's dims.
struct Operand {
  const std::byte* data;
  const Layout* layout;
};

// Writes `count` elements, those of all operands in row-major order, densely to `to`: of type `dtype`, or bools. `to` may be
// where a dense first operand lies, or not overlap any. There are as many operands as the operation has, one or two.
void compute_elementwise(Operation operation, Dtype dtype, std::byte* to, std::span<const Operand> operands, std::size_t count);

}  // namespace broadloom
