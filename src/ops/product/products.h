// Shared by MatMul, Gemm and Einsum.
#pragma once

#include "core/tensor.h"
#include "kernels/products/matmul.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/packed_operands.h"

namespace broadloom {

// The layout of `count` axes, from index `first` on.
Layout axes_of(const Layout& layout, std::size_t first, std::size_t count);

// Before a run, only constants have elements.
inline const std::byte* data_of(const Tensor& tensor) { return tensor.has_elements() ? tensor.data() : nullptr; }

// The operands of a product.
struct Factors {
  Factor a;
  Factor b;
};
// The operands of MatMul: if all matrices of a batch are multiplied by one matrix, the batch counts as rows. `y` has the
// result's dims.
Factors factors_of_product(const Tensor& a, const Tensor& b, const SymbolicDims& y);

// The matrix product of elements of the output's type, in the type of computation (kernels/products/matmul.h): in the
// output itself, which is dense, if both types are the same.
// `packed` is what pack_columns made of b, or nullptr.
Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed = nullptr);

// Packs the columns of b, whose elements are those of `constant`, unless products of `rows` rows are as fast without.
Result<Ready> pack_columns(PackedOperands* packed, const Tensor& constant, Factor& b, std::int64_t rows);

// The axis of a layout of at most one.
Axis axis_of(const Layout& layout);
// Whether the storage of a constant has the matrix with these axes and nothing else.
bool is_all(const Tensor& constant, const Axis& kept, const Axis& summed);

// Operator::extra_work: about the number of multiplications of a matrix product.
double work_of_products(const Call& call);

}  // namespace broadloom
