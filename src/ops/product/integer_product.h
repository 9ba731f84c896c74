// Shared by products of matrices of integers of 8 bits: MatMulInteger, QLinearMatMul, and the operators of com.microsoft.
#pragma once

#include "kernels/products/pair_product.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Which inputs of an operator are the operands, and what belongs to them.
struct ProductInputs {
  static constexpr std::uint8_t none = UINT8_MAX;
  enum : std::uint8_t { a_zero, b_zero, a_scale, b_scale, y_scale, y_zero, bias };
  std::uint8_t a;
  std::uint8_t b;
  std::uint8_t others[7];
  std::uint8_t added = none;  // int32, which is added to the sums; it broadcasts to the dims of the product of two matrices
};

// Operator::prepare: the dims of the product. Zero points and scales have one element; or one for each row of a, or column of
// b; or the operand's dims, with 1 for the axis that the product sums over. The zero point and scale of y have one element.
Status prepare_integer_product(Call& call, const ProductInputs& at);

// Fails unless an input, if it is given, has one element or one axis of that length.
Status check_length_or_one(const Call& call, std::size_t input, Size length);

// A zero point, scale or bias in a run: dense, in float32. Empty if the input is omitted.
Result<Tensor> parameter_in(const Call& call, std::size_t input);

// The zero points and scales of a call in a run.
class ProductParameters {
 public:
  Status read(const Call& call, const ProductInputs& at);

  // Parameter `which` of the operand's row or column `index` of matrix `matrix`, which has `kept` of these; `otherwise` if the
  // call has no such parameter.
  float get(std::size_t which, std::size_t index, std::size_t matrix, std::size_t kept, float otherwise) const;
  bool has(std::size_t which) const { return values_[which].has_elements(); }
  bool is_single(std::size_t which) const { return !has(which) || values_[which].count() == 1; }

  // Writes the zero point of each column, less offset_of its type. Returns whether there is one other than 0.
  bool write_zeros(std::int32_t* to, std::size_t columns, std::size_t matrix, Dtype dtype) const;
  // Writes the scale of each column's results, multiplied by the scale of a row.
  void write_scales(float* to, std::size_t columns, std::size_t matrix, float row_scale) const;

 private:
  struct Numbers {
    const float* first;
    std::size_t step;
    float operator[](std::size_t i) const { return first[i * step]; }
  };
  // The numbers of parameter `which` for a matrix; each is `otherwise` if the call has no such parameter.
  Numbers of(std::size_t which, std::size_t matrix, std::size_t kept, const float& otherwise) const;

  Tensor values_[ProductInputs::bias];
};

// Makes the bytes of a constant second operand again from its packed form. nullptr if its storage has other elements, too.
std::unique_ptr<Storage::Substitute> pairs_substitute(const StorageRef& packed, const Tensor& constant, const Axis& kept,
                                                      const Axis& summed);

// Operator::ready. The results are the sums if they are int32. Else they are the sums times alpha * a_scale * b_scale /
// y_scale, where 'alpha' is the attribute, or 1. A result of 8 bits is rounded, and the zero point of y is added; to a float,
// the bias is added.
Result<Ready> ready_integer_product(const Call& call, const ProductInputs& at, PackedOperands* packed);

}  // namespace broadloom
