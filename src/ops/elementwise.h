// What operators have in common that compute element by element, on operands that are stretched to the dims of the result.
#pragma once

#include "kernels/loops.h"
#include "ops/operator.h"

namespace broadloom {

// Writes the operation's results to the dense output. Operands broadcast to its dims; the first one may be the output itself.
Status apply(Operation operation, Tensor& output, const Tensor& a, const Tensor& b);

// Writes the elements of the call's output, which is dense, by a program; where has_program says so.
Status compute_elements(const Operator& op, Call& call);

// Adds the steps of the operator's elements to a program, most_added values at most; the result is rounded.
Program::Value add_elements(const Operator& op, const Call& call, Program& program, std::span<const Program::Value> inputs);

// The operand of a program that is the tensor, stretched to dims that it broadcasts to.
Program::Value add_operand(Program& program, const Tensor& tensor, const Dims& dims);

// Before a run, elements of int64 may be expressions.
inline bool has_sizes(const Call& call) { return !call.is_run() && call.inputs[0]->dtype == Dtype::int64; }

// The operation on two sizes: unknown_size for what is not known to hold in every run. Of those with one operand, only negate,
// whose second one is not looked at. Comparisons give 0, 1, or unknown_size.
Size combine_sizes(const Sizes& sizes, Operation operation, Size a, Size b);

// What a call does before a run with elements that may be expressions, as `apply` does it in a run. An output of bools of which
// one is not known has no elements then.
Status apply_to_sizes(const Call& call, Operation operation, Tensor& output, const Tensor& a, const Tensor& b);

// The dims of two inputs that must have the same ones.
Result<Dims> equal_dims(const Dims& a, const Dims& b);

}  // namespace broadloom
