// Sparse tensors (onnx.proto, SparseTensorProto): in attributes and initializers, never at run time.
#pragma once

#include "core/tensor.h"

namespace broadloom {

struct SparseTensor {
  Tensor values;   // [nnz], of any type
  Tensor indices;  // int64: [nnz] linear, or [nnz, rank] coordinates; of no type when absent, as it may be if nnz is 0
  Dims dims;       // of the dense tensor
};

// The dense tensor: zeros (empty strings) and, at their places, the values. Refuses what ONNX's checker refuses:
// a dense rank of 0, dims below 1, values that are not of rank 1, indices of another type or shape, out of range,
// not in strictly ascending order.
Result<Tensor> to_dense(const SparseTensor& sparse);

}  // namespace broadloom
