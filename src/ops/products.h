// What MatMul, Gemm and Einsum have in common.
#pragma once

#include <map>

#include "core/tensor.h"
#include "kernels/matmul.h"
#include "ops/operator.h"

namespace broadloom {

// `count` axes of a layout, from number `first` on.
Layout axes_of(const Layout& layout, std::size_t first, std::size_t count);

// The sums of products of elements of the output's type, in the type that they are computed in (kernels/matmul.h): in the
// output itself, which is dense, where that is its own.
// `packed` is what PackedOperands made of b, or nullptr.
Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed = nullptr);

// Second operands of products that are constants of a model, packed once. Plans for several dims share them.
class PackedOperands {
 public:
  // The columns of b, whose elements are those of `constant`. Nothing where products of so many rows read b where it is.
  Result<StorageRef> pack(const Tensor& constant, const Factor& b, std::int64_t rows);
  // Forgets those that nobody else has.
  void release_unused();

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

// About how often a product of two matrices multiplies: Operator::extra_work.
double work_of_products(const Call& call);

// Writes dense elements to the output, as Cast does, unless they are the output's.
void write_rounded(const Tensor& output, const Tensor& dense);

}  // namespace broadloom
