#include "ops/elementwise.h"

#include <cassert>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/formula.h"

namespace broadloom {

namespace {

LayoutRef stretched(const Tensor& tensor, const SymbolicDims& dims) {
  return tensor.dims() == dims ? tensor.layout : broadcast_to(tensor.layout, dims);
}

}  // namespace

Program::Value add_operand(Program& program, const Tensor& tensor, const SymbolicDims& dims) {
  return program.operand(tensor.dtype, tensor.data(), stretched(tensor, dims));
}

Program::Value add_elements(const Operator& op, const Call& call, Program& program, std::span<const Program::Value> inputs) {
  [[maybe_unused]] const std::size_t before = program.size();
  [[maybe_unused]] const Running running(op, call);
  const Program::Value value = program.rounded(op.elements(call, program, inputs));
  assert(program.size() - before <= op.most_added(inputs.size()));
  return value;
}

const LayoutRef* order_of(const Tensor& tensor, const SymbolicDims& dims) {
  const bool is_other = tensor.dims() == dims && !is_dense(tensor.layout) && is_gapless(tensor.layout);
  return is_other ? &tensor.layout : nullptr;
}

Status compute_elements(const Operator& op, Call& call) {
  Tensor& output = call.outputs[0];
  Program program;
  Program::Value inputs[Program::most_operands];
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] != nullptr) inputs[i] = add_operand(program, *call.inputs[i], output.dims());
  }
  const Program::Value value = add_elements(op, call, program, {inputs, call.inputs.size()});
  if (!is_dense(output.layout)) program.transpose(order_of_axes(output.layout).values());
  return program.run(value, output.data(), in_memory(output.count()));
}

Status apply(Operation operation, Tensor& output, const Tensor& a, const Tensor& b) {
  Program program;
  const Program::Value first = add_operand(program, a, output.dims());
  const Program::Value second = add_operand(program, b, output.dims());
  const Program::Value value = program.rounded(program.apply(operation, first, second));
  return program.run(value, output.data(), in_memory(output.count()));
}

namespace {

// The quotient, rounded toward zero.
Size divide(const Sizes& sizes, Size a, Size b) {
  if (a.is_number() && b.is_number()) {
    return sizes.floor_divide(a, b).is_unknown() ? unknown_size : Size(a.number() / b.number());
  }
  // The divisor must be known to be at least 1: a symbolic size may be 0.
  const bool is_known = sizes.is_natural(a) && sizes.is_natural(sizes.subtract(b, 1));
  return is_known ? sizes.floor_divide(a, b) : unknown_size;
}

Size compare(Operation operation, Size a, Size b) {
  if (a == b) return a.is_unknown() ? unknown_size : operation != Operation::less;
  if (!differ(a, b)) return unknown_size;
  return operation != Operation::equal && a.number() < b.number();
}

}  // namespace

Size combine_sizes(const Sizes& sizes, Dtype dtype, Operation operation, Size a, Size b) {
  switch (operation) {
    case Operation::add: return sizes.unless_wrapping(sizes.add(a, b), dtype);
    case Operation::subtract: return sizes.unless_wrapping(sizes.subtract(a, b), dtype);
    case Operation::multiply: return sizes.unless_wrapping(sizes.multiply(a, b), dtype);
    case Operation::divide: return divide(sizes, a, b);
    case Operation::minimum: return sizes.minimum(a, b);
    case Operation::maximum: return sizes.maximum(a, b);
    case Operation::negate: return sizes.unless_wrapping(sizes.subtract(0, a), dtype);
    default: return compare(operation, a, b);
  }
}

Status apply_to_sizes(const Call& call, Operation operation, Tensor& output, const Tensor& a, const Tensor& b) {
  const auto written = [&](const Tensor& tensor) {
    return densify({tensor.dtype, stretched(tensor, output.dims()), tensor.storage, tensor.offset});
  };
  BROADLOOM_TRY(first, written(a));
  BROADLOOM_TRY(second, written(b));
  const std::int64_t count = output.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const Size size = combine_sizes(call.sizes(), first.dtype, operation, size_at(first, i), size_at(second, i));
    if (!gives_bools(operation)) {
      set_size_at(output, i, size);
    } else if (size.is_number()) {
      output.data()[i] = static_cast<std::byte>(size.number());
    } else {
      output = known_dims(output.dtype, output.dims());
      return {};
    }
  }
  return {};
}

Result<SymbolicDims> equal_dims(const SymbolicDims& a, const SymbolicDims& b) {
  bool are_equal = a.size() == b.size();
  SymbolicDims dims = a;
  for (std::size_t i = 0; are_equal && i < dims.size(); ++i) {
    if (!dims[i].is_number()) dims[i] = b[i];
    are_equal = dims[i] == b[i] || !b[i].is_number();
  }
  if (are_equal) return dims;
  return fail(Code::InvalidArgument, "inputs have dims {} and {}, wanted equal ones", a.values(), b.values());
}

}  // namespace broadloom
