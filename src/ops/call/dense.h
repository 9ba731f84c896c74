// Converts tensors of any layout to bytes in row-major order: writes lazy results, and keeps tensors
// independent of each other although they share storage.
#pragma once

#include "core/tensor.h"

namespace broadloom {

// A dense tensor with the same elements: the tensor itself (sharing its storage) if it is dense, otherwise a copy. No other
// bits follow the elements of a packed type, and unused bits of the last byte are zero in a copy.
Result<Tensor> densify(const Tensor& tensor);

// A tensor without gaps, for kernels that read elements in any order of axes: the tensor itself if it has none, otherwise a
// dense copy. Not for packed types.
Result<Tensor> without_gaps(const Tensor& tensor);

[[gnu::cold, gnu::noinline]] Status check_exposed_bools(const Tensor& tensor);
// Who has a writable view of a tensor may have written anything: fails if bytes of bools are neither 0 nor 1.
inline Status check_exposed(const Tensor& tensor) {
  return tensor.dtype == Dtype::boolean ? check_exposed_bools(tensor) : Status();
}

// Whether the storage has the elements of this tensor, which has no gaps, and nothing else.
inline bool fills_storage(const Tensor& tensor) { return tensor.offset == 0 && tensor.storage->size() == dense_size(tensor); }

// share_storage for an exposed storage.
[[gnu::cold, gnu::noinline]] Result<StorageRef> copy_exposed(const Tensor& tensor);

// The tensor's storage for another owner with the same layout and offset: the storage itself, or a copy if a
// writable view exists; then it fails if bytes of bools are neither 0 nor 1. Empty for a tensor without elements.
inline Result<StorageRef> share_storage(const Tensor& tensor) {
  return tensor.storage && tensor.storage->exposed ? copy_exposed(tensor) : tensor.storage;
}

// The tensor for another owner, with storage from share_storage.
Result<Tensor> share(const Tensor& tensor);

// Makes the tensor's storage dense and unshared, for a writable view. Other tensors are unchanged. The storage is
// marked exposed. Not for strings, whose text is never viewed.
Status expose(Tensor& tensor);

// Copies the part of the storage that the tensor uses, if it is small: a small view must not keep a large storage alive. The
// rule: the storage is above small_storage, and less than a sixteenth of it lies between the first and the last byte of the
// view. So the copy costs less than making the storage did. If there is no memory for it, or if strings
// that share their text would need more of it, the view stays as it is.
inline constexpr std::size_t small_storage = std::size_t{64} * 1024;
void release_excess_of_large(Tensor& tensor);
inline void release_excess(Tensor& tensor) {
  if (tensor.storage->size() > small_storage) release_excess_of_large(tensor);
}

// A dense tensor of the same elements in another type, rounded as Cast does.
Result<Tensor> in_type(const Tensor& tensor, Dtype dtype);

// The dense output itself if it has this type, otherwise a tensor of its dims for results that write_rounded converts.
Result<Tensor> unrounded(const Tensor& output, Dtype computed);
// Converts results to the output, as Cast does, unless they are the output's own elements.
Status write_rounded(const Tensor& output, const Tensor& results);

}  // namespace broadloom
