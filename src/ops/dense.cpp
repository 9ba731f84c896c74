#include "ops/dense.h"

#include <cstring>

#include "core/memory.h"
#include "kernels/fill.h"
#include "kernels/strided.h"

namespace broadloom {
namespace {

// The tensor's elements in row-major order, in a storage of their own.
// All that densify and expose allocate is for such a copy: what is dense can be read however full the memory is.
Result<StorageRef> dense_copy(const Tensor& tensor) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(bytes, dense_bytes(tensor.dtype, tensor.count()));
  BROADLOOM_TRY(copy, Storage::allocate(bytes));
  if (!is_packed(tensor.dtype)) {
    materialize(copy->data(), tensor.data(), tensor.layout, item_size(tensor.dtype));
  } else if (is_dense(tensor.layout)) {
    std::memcpy(copy->data(), tensor.data(), copy->size());
  } else {
    // Packed elements are dense or all the same; then their storage is one byte full of that element.
    fill(copy->data(), tensor.data(), 1, copy->size());
    clear_padding(tensor.dtype, tensor.count(), copy->data());
  }
  copy->text = tensor.storage->text;
  return std::move(copy);
}

}  // namespace

Result<Tensor> densify(const Tensor& tensor) {
  if (is_dense(tensor.layout)) return tensor;
  BROADLOOM_TRY(copy, dense_copy(tensor));
  return Tensor{tensor.dtype, dense_layout(tensor.dims()), std::move(copy)};
}

Result<StorageRef> share_storage(const Tensor& tensor) {
  if (!tensor.storage->exposed) return tensor.storage;
  // An exposed storage is dense (expose() made it so), and so is the copy.
  return dense_copy(tensor);
}

Result<Tensor> share(const Tensor& tensor) {
  BROADLOOM_TRY(storage, share_storage(tensor));
  return Tensor{tensor.dtype, tensor.layout, std::move(storage)};
}

Status expose(Tensor& tensor) {
  if (tensor.storage->is_shared() || !is_dense(tensor.layout)) {
    BROADLOOM_TRY(copy, dense_copy(tensor));
    tensor.storage = std::move(copy);
    tensor.layout.make_dense();
  }
  tensor.storage->exposed = true;
  return {};
}

}  // namespace broadloom
