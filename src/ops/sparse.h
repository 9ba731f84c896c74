// Sparse tensors (onnx.proto, SparseTensorProto): in attributes and initializers, never at run time.
#pragma once

#include "core/tensor.h"

namespace broadloom {

struct SparseTensor {
  Tensor values;   // [nnz], of any type
  Tensor indices;  // int64: [nnz] linear, or [nnz, rank] coordinates; of no type when absent, as it may be if nnz is 0
  Dims dims;       // of the dense tensor
};

// Refuses what ONNX's checker refuses: a dense rank of 0, dims below 1, values that are not of rank 1, indices of another type
// or shape, out of range, not in strictly ascending order. Costs follow the number of values, not the dims.
Status check_sparse(const SparseTensor& sparse);

// Writes the elements of a sparse tensor that was checked to `to`, a dense tensor of its type and dims: zeros (empty strings)
// and, at their places, the values.
Status write_dense(const SparseTensor& sparse, Tensor& to);

}  // namespace broadloom
