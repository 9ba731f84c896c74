// From a tensor of any layout to bytes in row-major order: where lazy results are written out, and where tensors are
// kept values although they share storage.
#pragma once

#include "core/tensor.h"

namespace broadloom {

// A dense tensor with the same elements: the tensor itself (sharing its storage) if it is dense, else a copy. No other bits
// lie behind the elements of a packed type, and those that are left in the last byte are zero in a copy.
Result<Tensor> densify(const Tensor& tensor);

// What share_storage gives of an exposed storage.
[[gnu::cold, gnu::noinline]] Result<StorageRef> copy_exposed(const Tensor& tensor);

// The tensor's storage for another owner, to be read by the same layout and offset: the storage itself, or a copy if a
// writable view of it was handed out; then it fails when bytes of bools are neither 0 nor 1. Nothing, where it has no elements.
inline Result<StorageRef> share_storage(const Tensor& tensor) {
  return tensor.storage && tensor.storage->exposed ? copy_exposed(tensor) : tensor.storage;
}

// The same value for another owner.
Result<Tensor> share(const Tensor& tensor);

// Makes the tensor's storage dense and its own, for a writable view: other tensors keep what they have. The storage is
// marked exposed. Not for strings, whose text is never viewed.
Status expose(Tensor& tensor);

// Copies what the tensor finds of its storage, if that is a small part: a small view must not keep a large storage alive. The
// rule: storages above small_storage of which less than a sixteenth lies between the first and the last byte that the view
// finds. So the copy costs less than making the storage did. When there is no memory for it, or strings
// that share their text would have more of it, the view stays as it is.
inline constexpr std::size_t small_storage = std::size_t{64} * 1024;
void release_excess_of_large(Tensor& tensor);
inline void release_excess(Tensor& tensor) {
  if (tensor.storage->size() > small_storage) release_excess_of_large(tensor);
}

// A dense tensor of the same elements in another type, rounded as Cast does.
Result<Tensor> in_type(const Tensor& tensor, Dtype dtype);

}  // namespace broadloom
