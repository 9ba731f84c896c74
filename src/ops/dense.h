// From a tensor of any layout to bytes in row-major order: where lazy results are written out, and where tensors are
// kept values although they share storage.
#pragma once

#include "core/tensor.h"

namespace broadloom {

// A dense tensor with the same elements: the tensor itself (sharing its storage) if it is dense, else a copy.
Result<Tensor> densify(const Tensor& tensor);

// The tensor's storage for another owner, to be read by the same layout: the storage itself, or a copy if a writable view
// of it was handed out.
Result<StorageRef> share_storage(const Tensor& tensor);

// The same value for another owner.
Result<Tensor> share(const Tensor& tensor);

// Makes the tensor's storage dense and its own, for a writable view: other tensors keep what they have. The storage is
// marked exposed. Not for strings, whose text is never viewed.
Status expose(Tensor& tensor);

}  // namespace broadloom
