// The inputs of an operator's call.
#pragma once

#include <list>

#include "core/memory.h"
#include "frame.h"
#include "ops/call/operator.h"

namespace broadloom {

// A tensor whose elements lie on the page.
struct PageTensor {
  PageTensor(Dtype dtype, const Dims& dims, const void* elements, std::size_t bytes);
  BorrowedStorage storage;
  Tensor tensor;
};

// Tensors that JavaScript owns, and those that the call brings itself.
struct Operands {
  InlineVector<const Tensor*, 8> tensors;  // to be set
  std::list<PageTensor, PoolAllocator<PageTensor>> own;

  void set(std::size_t index, Dtype dtype, const Dims& dims, const void* elements, std::size_t bytes) {
    tensors[index] = &own.emplace_back(dtype, dims, elements, bytes).tensor;
  }
};

// Reads an operand for each place of `operands`. A list of integers stands for int64, but only where nothing else could be
// meant than integers that say where or how many. A number, bigint or boolean has the type that the version gives it, or that
// other operands have. Fails for a value that this type cannot hold.
Status read_operands(FrameReader& frame, const Selection& selection, Operands& operands);

}  // namespace broadloom
