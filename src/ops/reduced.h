// Shared by operators that reduce axes of a tensor of floating-point numbers.
#pragma once

#include <memory>

#include "kernels/reduce.h"
#include "ops/arguments.h"
#include "ops/ready_call.h"

namespace broadloom {

// Reduces the axes to the dense output, whose type is the input's.
Status reduce_axes(Tensor& output, const Tensor& input, const Reduction& reduction, const AxisSet& axes);

// The same for the first input and output of a call of a plan; nullptr if the input has gaps.
std::unique_ptr<ReadyCall> ready_reduction(const Call& call, const Reduction& reduction, const AxisSet& axes);

}  // namespace broadloom
