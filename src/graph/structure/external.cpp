#include "graph/structure/external.h"

#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"

namespace broadloom {

Status allocate_external(Initializer& initializer, std::int64_t file_bytes) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_CHECK(check_file_bytes(static_cast<double>(file_bytes)));
  const ExternalData& data = *initializer.external;
  const Tensor& tensor = initializer.tensor;
  BROADLOOM_TRY(bytes, dense_bytes(tensor.dtype, tensor.count()));
  BROADLOOM_CHECK(check_external_length(initializer));
  if (data.offset > file_bytes || bytes > file_bytes - data.offset) {
    return fail(Code::InvalidModel, "external data of {} ends at byte {}, but file {} has {} bytes",
                quoted(initializer.value->name), static_cast<double>(data.offset) + static_cast<double>(bytes),
                quoted(data.location), file_bytes);
  }
  BROADLOOM_TRY(allocated, make_tensor(tensor.dtype, tensor.dims()));
  initializer.tensor = std::move(allocated);
  return {};
}

Status check_external_length(const Initializer& initializer) {
  const Tensor& tensor = initializer.tensor;
  const std::int64_t length = initializer.external->length;
  BROADLOOM_TRY(bytes, dense_bytes(tensor.dtype, tensor.count()));
  if (length < 0 || length == bytes) return {};
  return fail(Code::InvalidModel, "external data of {} has length {}, but {} of dims {} has {} bytes",
              quoted(initializer.value->name), length, tensor.dtype, tensor.dims().values(), bytes);
}

Status check_external_bools(const Initializer& initializer) {
  const Tensor& tensor = initializer.tensor;
  if (tensor.dtype != Dtype::boolean) return {};
  const Status status = check_bools(tensor.data(), tensor.count());
  if (!status) {
    const Error error = status.error();
    error->code = Code::InvalidModel;
    error->message.prepend("external data of {}: ", quoted(initializer.value->name));
  }
  return status;
}

Status check_external(Initializer& initializer) {
  Tensor& tensor = initializer.tensor;
  clear_padding(tensor.dtype, tensor.count(), tensor.data());
  return check_external_bools(initializer);
}

}  // namespace broadloom
