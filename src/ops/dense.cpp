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

Result<Tensor> share(const Tensor& tensor) {
  if (!tensor.storage->exposed) return tensor;
  // An exposed storage is dense: expose() made it so.
  return dense_copy(tensor);
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
