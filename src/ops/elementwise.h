// Shared by elementwise operators, whose operands broadcast to the dims of the result.
#pragma once

#include "kernels/elementwise/loops.h"
#include "ops/call/operator.h"

namespace broadloom {

// Writes the operation's results to the dense output. Operands broadcast to its dims; the first one may be the output itself.
Status apply(Operation operation, Tensor& output, const Tensor& a, const Tensor& b);

// Writes the elements of the call's dense output by a program. Requires has_program.
Status compute_elements(const Operator& op, Call& call);

// The layout of a tensor of these dims whose elements lie without gaps in an order that is not row-major; else nullptr. Results
// of elementwise operators have the order of their operands.
const LayoutRef* order_of(const Tensor& tensor, const SymbolicDims& dims);

// Adds the steps of the operator's elements to a program, at most most_added values. The result is rounded.
Program::Value add_elements(const Operator& op, const Call& call, Program& program, std::span<const Program::Value> inputs);

// Adds a tensor, broadcast to `dims`, as an operand of a program.
Program::Value add_operand(Program& program, const Tensor& tensor, const SymbolicDims& dims);

// Whether elements may be expressions: int32 or int64 before a run.
inline bool has_sizes(const Call& call) { return !call.is_run() && has_size_elements(*call.inputs[0]); }

// The operation on two elements of this type, int32 or int64; unknown_size unless the result holds in every run. The only
// supported unary operation is negate, which ignores b. Comparisons return 0, 1, or unknown_size.
Size combine_sizes(const Sizes& sizes, Dtype dtype, Operation operation, Size a, Size b);

// Like `apply`, but before a run, with elements that may be expressions. An output of bools has no elements if
// one of them is unknown.
Status apply_to_sizes(const Call& call, Operation operation, Tensor& output, const Tensor& a, const Tensor& b);

// The dims of two inputs that must have equal dims.
Result<SymbolicDims> equal_dims(const SymbolicDims& a, const SymbolicDims& b);

}  // namespace broadloom
