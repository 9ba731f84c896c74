// Numbers as operands: a number, a bigint or a boolean in the place of a tensor.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

struct OperandNumber {
  enum class Kind : std::uint8_t { number, bigint, boolean };

  Kind kind;
  double number = 0;       // of a bigint, the nearest; of a boolean, 0 or 1
  std::uint64_t bits = 0;  // of a bigint from -2^63 to 2^64 - 1, in two's complement

  bool is_negative() const { return number < 0; }
};

// Writes the element that a number stands for as input `index` of a call, and returns its type: the one that the version gives
// the input, or that other inputs of the same type variable have. If neither gives a type, it is the first of these that the
// version takes: bool, for a boolean; the type of the first input that has a type variable, unless that type is bool, as a
// condition's is; float32, for a number; int64. Inputs that are not there yet are nullptr. Fails if the type cannot hold the
// value. `to` must have 16 bytes.
Result<Dtype> encode_operand(const OperatorVersion& version, std::span<const Tensor* const> inputs, std::size_t index,
                             const OperandNumber& number, std::byte* to);

}  // namespace broadloom
