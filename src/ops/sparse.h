// Sparse tensors (onnx.proto, SparseTensorProto): in attributes and initializers, never at run time.
#pragma once

#include "core/tensor.h"

namespace broadloom {

struct SparseTensor {
  Tensor values;   // [nnz], of any type
  Tensor indices;  // int64: [nnz] linear, or [nnz, rank] coordinates; undefined type if absent, which nnz = 0 allows
  Dims dims;       // of the dense tensor
};

// Fails like ONNX's checker: for a dense rank of 0, dims below 1, values that are not of rank 1, and indices of another type
// or shape, out of range, or not in strictly ascending order. The cost depends on the number of values, not on dims.
Status check_sparse(const SparseTensor& sparse);

// Writes a checked sparse tensor to `to`, a dense tensor of its type and dims: zeros (empty strings)
// and the values at their indices.
Status write_dense(const SparseTensor& sparse, Tensor& to);

}  // namespace broadloom
