#include "ops/shape_input.h"

#include "core/text.h"

namespace broadloom {

Result<Dims> read_shape(const Call& call, std::size_t input, std::string_view name) {
  const Tensor& shape = *call.inputs[input];
  if (shape.dims().size() != 1) {
    return fail(Code::InvalidArgument, "input {} has dims {}, wanted one axis", quoted(name), shape.dims().values());
  }
  // A lazy shape may be too long for a std::size_t of wasm.
  BROADLOOM_CHECK(check_rank(static_cast<std::uint64_t>(shape.dims()[0])));
  Result<Dims> result(tl::in_place, static_cast<std::size_t>(shape.dims()[0]), unknown_size);
  Dims& dims = *result;
  if (!shape.has_elements()) return result;
  read_int64(shape, dims.data());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 && (call.is_run() || is_number(dims[i]))) {
      return fail(Code::InvalidArgument, "input {} holds {}: entry {} is {}; sizes cannot be negative", quoted(name),
                  dims.values(), i, dims[i]);
    }
  }
  return result;
}

}  // namespace broadloom
