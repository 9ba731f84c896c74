// Shared by operators that reduce axes of a tensor of floating-point numbers.
#pragma once

#include "kernels/reduce/reduce.h"
#include "ops/call/arguments.h"
#include "ops/call/ready_call.h"

namespace broadloom {

// Whether elements are read faster where they lie than by a copy: the innermost one of the reduced axes or of the others must
// be dense, and no element may be repeated.
bool is_read_fast(const Layout& layout, const AxisSet& reduced);

// Reduces the axes to the dense output, whose type is the input's.
Status reduce_axes(Tensor& output, const Tensor& input, const Reduction& reduction, const AxisSet& axes);

// Operator::ready of a call that reduces the first input to the first output. Not ready if the input is not read fast.
Ready ready_reduction(const Call& call, const Reduction& reduction, const AxisSet& axes);

}  // namespace broadloom
