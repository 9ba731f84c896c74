// Tensors of bytes that stand for numbers: (byte - zero point) * scale.
#pragma once

#include "ops/formula.h"

namespace broadloom {

struct Quantum {
  float scale = 1;
  int zero = 0;
};

// The scale and zero point of a tensor: input `first` of a call, and the one behind it, which may be omitted.
Quantum quantum_of(const Call& call, std::size_t first);

// Fails unless the inputs with these bits have one element each.
Status check_scalars(const Call& call, std::uint32_t bits);

// Elements of an int8 or uint8 operand as float32.
Formula dequantised(const Formula& bytes, const Quantum& quantum);
// The nearest bytes of the type, ties to even.
Formula quantised(const Formula& numbers, const Quantum& quantum, Dtype dtype);

// The same for all elements of a tensor without gaps, in the order in which they lie. `to` has its layout.
Status dequantise(const Tensor& to, const Tensor& from, const Quantum& quantum);
Status quantise(const Tensor& to, const Tensor& from, const Quantum& quantum);

// Gives the first output of a prepared call the order of an input of its dims, if it is another one than row-major.
void keep_order(Call& call, std::size_t input);

}  // namespace broadloom
