#include "ops/shape_input.h"

#include "core/text.h"

namespace broadloom {

Result<bool> read_shape(const Call& call, std::size_t input, std::string_view name, Dims& dims) {
  const Tensor& shape = *call.inputs[input];
  if (!shape.is_ranked()) return false;
  if (shape.dims().size() != 1) {
    return fail(Code::InvalidArgument, "input {} has dims {}, wanted one axis", quoted(name), shape.dims().values());
  }
  if (!is_number(shape.dims()[0])) return false;
  // A lazy shape can be longer than a std::size_t of wasm can say.
  BROADLOOM_CHECK(check_rank(static_cast<std::uint64_t>(shape.dims()[0])));
  dims = Dims(static_cast<std::size_t>(shape.dims()[0]), unknown_size);
  // In a run, they are there when the call comes again.
  if (!shape.has_elements()) return !call.is_run();
  read_int64(shape, dims.data());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 && (call.is_run() || is_number(dims[i]))) {
      return fail(Code::InvalidArgument, "input {} holds {}: entry {} is {}; sizes cannot be negative", quoted(name),
                  dims.values(), i, dims[i]);
    }
  }
  return true;
}

}  // namespace broadloom
