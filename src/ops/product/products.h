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

// The matrix product of elements of the output's type, in the type of computation (kernels/products/matmul.h): in the
// output itself, which is dense, if both types are the same.
// `packed` is what pack_columns made of b, or nullptr.
Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed = nullptr);

// Packs the columns of b, whose elements are those of `constant`, unless products of `rows` rows are as fast without.
Result<Ready> pack_columns(PackedOperands* packed, const Tensor& constant, Factor& b, std::int64_t rows);

// Operator::extra_work: about the number of multiplications of a matrix product.
double work_of_products(const Call& call);

}  // namespace broadloom
