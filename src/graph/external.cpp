#include "graph/external.h"

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
  const std::string_view name = initializer.value->name;
  if (data.length >= 0 && data.length != bytes) {
    return fail(Code::InvalidModel, "external data of {} has length {}, but {} of dims {} has {} bytes", quoted(name),
                data.length, tensor.dtype, tensor.dims().values(), bytes);
  }
  if (data.offset > file_bytes || bytes > file_bytes - data.offset) {
    return fail(Code::InvalidModel, "external data of {} ends at byte {}, but file {} has {} bytes", quoted(name),
                static_cast<double>(data.offset) + static_cast<double>(bytes), quoted(data.location), file_bytes);
  }
  BROADLOOM_TRY(allocated, make_tensor(tensor.dtype, tensor.dims()));
  initializer.tensor = std::move(allocated);
  return {};
}

Status check_external(Initializer& initializer) {
  Tensor& tensor = initializer.tensor;
  clear_padding(tensor.dtype, tensor.count(), tensor.data());
  if (tensor.dtype != Dtype::boolean) return {};
  const Status status = check_bools(tensor.data(), tensor.count());
  if (!status) {
    const Error error = status.error();
    error->code = Code::InvalidModel;
    error->message.prepend("external data of {}: ", quoted(initializer.value->name));
  }
  return status;
}

}  // namespace broadloom
