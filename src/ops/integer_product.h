// Shared by products of matrices of integers of 8 bits: MatMulInteger, QLinearMatMul, and those of com.microsoft.
#pragma once

#include "kernels/pair_product.h"
#include "ops/operator.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Which inputs of an operator are the operands, and what belongs to them.
struct ProductInputs {
  static constexpr std::uint8_t none = UINT8_MAX;
  std::uint8_t a = 0;
  std::uint8_t b = 1;
  std::uint8_t a_zero = none;
  std::uint8_t b_zero = none;
  std::uint8_t a_scale = none;
  std::uint8_t b_scale = none;
  std::uint8_t y_scale = none;
  std::uint8_t y_zero = none;
  std::uint8_t bias = none;
};

// Operator::prepare: the dims of the product. Zero points and scales have one element; or one for each row of a, or column of
// b; or the operand's dims, with 1 for the axis that the product sums over. Those of y have one element.
Status prepare_integer_product(Call& call, const ProductInputs& at);

// Fails unless an input, if it is given, has one element or one axis of that length.
Status check_length_or_one(const Call& call, std::size_t input, Size length);

// Values of a zero point or scale in a run: dense, in another type. Empty if the input is omitted.
Result<Tensor> parameter_in(const Call& call, std::size_t input, Dtype dtype);

// The results are the sums if they are int32. Else they are the sums times the scales of a and b, which are divided by that of
// y: rounded to an integer, plus the zero point of y; or plus the bias.
Status compute_integer_product(Call& call, const ProductInputs& at);

Result<StorageRef> pack_integer_product(const Call& call, const ProductInputs& at, PackedOperands& packed);

}  // namespace broadloom
