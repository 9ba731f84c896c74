// Formulas of elements: the C++ operators of a formula add steps to a program.
#pragma once

#include <numbers>

#include "ops/call/operator.h"
#include "ops/dims/like.h"

namespace broadloom {

// A value of a program, with C++ operators. Number operands become constants of its type.
class Formula {
 public:
  Formula(Program& program, const Program::Value& value) : program_(&program), value_(value) {}

  const Program::Value& value() const { return value_; }
  Formula number(double value) const { return {*program_, program_->constant(value, value_)}; }
  Formula apply(Operation operation) const { return {*program_, program_->apply(operation, value_)}; }
  Formula apply(Operation operation, const Formula& other) const {
    return {*program_, program_->apply(operation, value_, other.value_)};
  }
  Formula apply(Operation operation, double other) const { return apply(operation, number(other)); }
  Formula converted(Dtype to) const { return {*program_, program_->convert(to, value_)}; }

  // `x` if the bool is 1, otherwise `y`.
  friend Formula select(const Formula& condition, const Formula& x, const Formula& y) {
    return {*x.program_, x.program_->select(condition.value_, x.value_, y.value_)};
  }

 private:
  Program* program_;
  Program::Value value_;
};

inline Formula operator+(const Formula& a, const Formula& b) { return a.apply(Operation::add, b); }
inline Formula operator+(const Formula& a, double b) { return a.apply(Operation::add, b); }
inline Formula operator-(const Formula& a, double b) { return a.apply(Operation::subtract, b); }
inline Formula operator*(const Formula& a, const Formula& b) { return a.apply(Operation::multiply, b); }
inline Formula operator*(const Formula& a, double b) { return a.apply(Operation::multiply, b); }
inline Formula operator/(const Formula& a, const Formula& b) { return a.apply(Operation::divide, b); }
inline Formula operator/(const Formula& a, double b) { return a.apply(Operation::divide, b); }
inline Formula operator<(const Formula& a, double b) { return a.apply(Operation::less, b); }
inline Formula operator>(const Formula& a, double b) { return a.number(b).apply(Operation::less, a); }
inline Formula min(const Formula& a, double b) { return a.apply(Operation::minimum, b); }
inline Formula max(const Formula& a, double b) { return a.apply(Operation::maximum, b); }

// The approximation is x (1 + tanh(u)) / 2. This uses the sigmoid of 2 u, which is equal, and precise if tanh is near -1.
inline Formula gelu_of(const Formula& x, bool is_approximate) {
  if (!is_approximate) return x * x.apply(Operation::normal_distribution);
  constexpr double twice = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return x * ((x + x * x * x * 0.044715) * twice).apply(Operation::sigmoid);
}

inline constexpr Kernels gelu_kernels =
    loops(Operation::add, Operation::multiply, Operation::normal_distribution, Operation::sigmoid);

// Operator::elements for an operator with one input.
template <Formula formula(const Call& call, const Formula& x)>
Program::Value elements_of(const Call& call, Program& program, std::span<const Program::Value> inputs) {
  return formula(call, Formula(program, inputs[0])).value();
}

}  // namespace broadloom
