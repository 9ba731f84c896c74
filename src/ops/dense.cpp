#include "ops/dense.h"

#include <cstring>

#include "kernels/fill.h"
#include "kernels/strided.h"

namespace broadloom {
namespace {

Result<Tensor> dense_copy(const Tensor& tensor) {
  BROADLOOM_TRY(copy, make_tensor(tensor.dtype, tensor.dims()));
  if (!is_packed(tensor.dtype)) {
    materialize(copy.data(), tensor.data(), tensor.layout, item_size(tensor.dtype));
  } else if (is_dense(tensor.layout)) {
    std::memcpy(copy.data(), tensor.data(), copy.storage->size());
  } else {
    // Packed elements are dense or all the same; then their storage is one byte full of that element.
    fill(copy.data(), tensor.data(), 1, copy.storage->size());
    clear_padding(copy);
  }
  copy.storage->text = tensor.storage->text;
  return std::move(copy);
}

}  // namespace

Result<Tensor> densify(const Tensor& tensor) {
  if (is_dense(tensor.layout)) return tensor;
  return dense_copy(tensor);
}

Result<StorageRef> share_storage(const Tensor& tensor) {
  if (!tensor.storage->exposed) return tensor.storage;
  // An exposed storage is dense (expose() made it so), and so is the copy.
  BROADLOOM_TRY(copy, dense_copy(tensor));
  return std::move(copy.storage);
}

Result<Tensor> share(const Tensor& tensor) {
  BROADLOOM_TRY(storage, share_storage(tensor));
  return Tensor(tensor.dtype, tensor.layout, std::move(storage));
}

Status expose(Tensor& tensor) {
  if (tensor.storage->is_shared() || !is_dense(tensor.layout)) {
    BROADLOOM_TRY(copy, dense_copy(tensor));
    tensor = std::move(copy);
  }
  tensor.storage->exposed = true;
  return {};
}

}  // namespace broadloom
