// Tensors of bytes that stand for numbers: (byte - zero point) * scale.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

struct Quantum {
  float scale = 1;
  int zero = 0;
};

// The scale and zero point of a tensor: input `first` of a call, and the next input, which may be omitted.
Quantum quantum_of(const Call& call, std::size_t first);

// Fails unless an input, if it is given, has one element; or each of the inputs with these bits.
Status check_scalar(const Call& call, std::size_t input);
Status check_scalars(const Call& call, std::uint32_t bits);

// Dequantises bytes to float32, and quantises float32 to the nearest bytes, with the scale and zero point at input `first` of a
// call. Elements are read in the order in which they lie, without gaps; `to` has the same layout.
Status dequantise(const Call& call, std::size_t first, const Tensor& to, const Tensor& from);
Status quantise(const Call& call, std::size_t first, const Tensor& to, const Tensor& from);

// Gives the first output of a prepared call the order of an input of its dims, if it is another one than row-major.
void keep_order(Call& call, std::size_t input);

}  // namespace broadloom
