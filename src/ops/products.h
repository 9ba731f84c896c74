// Shared by MatMul, Gemm and Einsum.
#pragma once

#include <map>
#include <memory>

#include "core/tensor.h"
#include "kernels/matmul.h"
#include "ops/operator.h"
#include "ops/ready_call.h"

namespace broadloom {

// The layout of `count` axes, from index `first` on.
Layout axes_of(const Layout& layout, std::size_t first, std::size_t count);

// The matrix product of elements of the output's type, in the type of computation (kernels/matmul.h): in the
// output itself, which is dense, if both types are the same.
// `packed` is b packed by PackedOperands, or nullptr.
Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed = nullptr);

// Constant second operands of products, packed once. Plans for several dims share them.
class PackedOperands {
 public:
  // Packs the columns of b, whose elements are those of `constant`. Empty if products of so many rows do not need packing.
  Result<StorageRef> pack(const Tensor& constant, const Factor& b, std::int64_t rows);
  // Frees those that no plan uses.
  void release_unused();

  // Operator::pack may make its call ready, too: then this runs instead of `compute`.
  std::unique_ptr<ReadyCall> ready;

 private:
  struct Entry {
    StorageRef constant;
    Dtype dtype;
    Axis kept;
    Axis summed;
    StorageRef packed;
  };
  std::multimap<const std::byte*, Entry> entries_;
};

// Operator::extra_work: about the number of multiplications of a matrix product.
double work_of_products(const Call& call);

// Converts dense elements to the output, as Cast does, unless they are the output's own.
void write_rounded(const Tensor& output, const Tensor& dense);

}  // namespace broadloom
