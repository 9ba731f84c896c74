#include "ops/call/dense.h"

#include "core/count.h"
#include "core/memory.h"
#include "core/strings.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/packed.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

// The tensor's elements in row-major order, in a new storage. densify and expose allocate memory only for such a copy, so a
// dense tensor can be read when memory is full.
Result<StorageRef> dense_copy(const Tensor& tensor) {
  BROADLOOM_CHECK(require_memory());
  const std::int64_t count = tensor.count();
  BROADLOOM_TRY(bytes, bytes_to_make(tensor.dtype, count));
  BROADLOOM_TRY(copy, Storage::allocate(bytes));
  if (!is_packed(tensor.dtype)) {
    BROADLOOM_CHECK(materialize_watched(copy->data(), tensor.data(), tensor.layout, item_size(tensor.dtype)));
  } else if (is_dense(tensor)) {
    copy_bytes(copy->data(), tensor.storage->data(), copy->size());
    clear_padding(tensor.dtype, count, copy->data());
  } else {
    const auto bits = in_memory(info(tensor.dtype).bits);
    materialize_packed(copy->data(), tensor.storage->data(), tensor.offset, tensor.layout, bits);
    clear_padding(tensor.dtype, count, copy->data());
  }
  copy->text = tensor.storage->text;
  return std::move(copy);
}

}  // namespace

Result<Tensor> densify(const Tensor& tensor) {
  if (is_dense(tensor)) return tensor;
  BROADLOOM_TRY(copy, dense_copy(tensor));
  return Tensor{tensor.dtype, dense_layout(tensor.dims()), std::move(copy)};
}

Result<Tensor> without_gaps(const Tensor& tensor) {
  if (is_gapless(tensor.layout)) return tensor;
  return densify(tensor);
}

Status check_exposed_bools(const Tensor& tensor) {
  if (!tensor.has_elements() || !tensor.storage->exposed) return {};
  return check_bools(tensor.data(), tensor.count());
}

Result<StorageRef> copy_exposed(const Tensor& tensor) {
  // An exposed storage is dense (by expose()) and has no offset, and so does its copy.
  BROADLOOM_TRY(copy, dense_copy(tensor));
  if (tensor.dtype == Dtype::boolean) BROADLOOM_CHECK(check_bools(copy->data(), tensor.count()));
  return std::move(copy);
}

Result<Tensor> share(const Tensor& tensor) {
  BROADLOOM_TRY(storage, share_storage(tensor));
  return Tensor{tensor.dtype, tensor.layout, std::move(storage), tensor.offset};
}

Status expose(Tensor& tensor) {
  // An exposed storage is dense, full and unshared.
  if (tensor.storage->exposed) return {};
  if (tensor.storage->is_shared() || !is_dense(tensor) || tensor.offset != 0 || tensor.storage->size() != dense_size(tensor)) {
    BROADLOOM_TRY(copy, dense_copy(tensor));
    tensor.storage = std::move(copy);
    tensor.offset = 0;
    tensor.layout.make_dense();
  }
  tensor.storage->exposed = true;
  return {};
}

namespace {

// A string tensor of the elements from `first` on, with a new text.
Result<Tensor> copy_strings(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  const auto* elements = reinterpret_cast<const StringRef*>(tensor.storage->data()) + first;
  std::int64_t bytes = 0;
  for (std::int64_t i = 0; i < count; ++i) bytes += elements[i].length;
  // Elements may share one string, and each would get a copy.
  if (bytes > 0 && Count(bytes) > tensor.storage->text->size()) return Failure(out_of_memory(bytes));
  BROADLOOM_TRY(writer, StringWriter::make({count}, bytes));
  for (std::int64_t i = 0; i < count; ++i) BROADLOOM_CHECK(writer.add(string_at(tensor, elements[i])));
  return writer.finish();
}

Result<StorageRef> copy_part(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  if (tensor.dtype == Dtype::string) {
    BROADLOOM_TRY(part, copy_strings(tensor, first, count));
    return std::move(part.storage);
  }
  const std::int64_t bits = info(tensor.dtype).bits;
  BROADLOOM_TRY(copy, Storage::allocate((count * bits + 7) / 8));
  copy_bytes(copy->data(), tensor.storage->data() + first * bits / 8, copy->size());
  // The copy may count as dense, and then the bits after its elements must be zero.
  clear_padding(tensor.dtype, count, copy->data());
  return std::move(copy);
}

}  // namespace

void release_excess_of_large(Tensor& tensor) {
  constexpr std::int64_t least_part = 16;
  const std::size_t size = tensor.storage->size();
  const Span span = span_of(tensor.layout);
  const std::int64_t bits = info(tensor.dtype).bits;
  // For packed types, whole bytes are copied.
  const std::int64_t per_byte = bits < 8 ? 8 / bits : 1;
  const std::int64_t first = (tensor.offset + span.lowest) / per_byte * per_byte;
  const std::int64_t count = tensor.count() == 0 ? 0 : tensor.offset + span.highest + 1 - first;
  if (count * bits / 8 >= static_cast<std::int64_t>(size) / least_part || !require_memory()) return;
  Result<StorageRef> part = copy_part(tensor, first, count);
  if (!part) return;
  tensor.storage = std::move(*part);
  tensor.offset = tensor.count() == 0 ? 0 : tensor.offset - first;
}

Result<Tensor> in_type(const Tensor& tensor, Dtype dtype) {
  BROADLOOM_TRY(dense, densify(tensor));
  if (dense.dtype == dtype) return std::move(dense);
  BROADLOOM_TRY(result, make_tensor(dtype, dense.dims()));
  BROADLOOM_CHECK(convert_watched(result.data(), dtype, dense.data(), dense.dtype, in_memory(dense.count())));
  return std::move(result);
}

Result<Tensor> unrounded(const Tensor& output, Dtype computed) {
  return computed == output.dtype ? output : make_tensor(computed, output.dims());
}

Status write_rounded(const Tensor& output, const Tensor& results) {
  if (results.data() == output.data()) return {};
  return convert_watched(output.data(), output.dtype, results.data(), results.dtype, in_memory(results.count()));
}

}  // namespace broadloom
