#include "ops/shape_input.h"

#include "core/memory.h"
#include "core/text.h"

namespace broadloom {

Result<Dims> read_shape(const Tensor& shape, std::string_view name) {
  if (shape.dims().size() != 1) {
    return fail(Code::InvalidArgument, "input {} has dims {}, wanted one axis", quoted(name), shape.dims().values());
  }
  // A shape may be a lazy tensor of any length: its rank is a size that the user chose.
  constexpr std::int64_t longest = INT32_MAX;
  const std::int64_t rank = shape.dims()[0];
  if (rank > longest) return Failure(out_of_memory(static_cast<double>(rank) * sizeof(std::int64_t)));
  if (rank > 64) {
    // Dims and strides of input and result, and what building an error text takes.
    BROADLOOM_CHECK(require_memory(static_cast<std::size_t>(rank), sizeof(std::int64_t) * 8));
  }
  Result<Dims> result(tl::in_place, static_cast<std::size_t>(rank));
  Dims& dims = *result;
  read_int64(shape, dims.data());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0) {
      return fail(Code::InvalidArgument, "input {} holds {}: entry {} is {}; sizes cannot be negative", quoted(name),
                  dims.values(), i, dims[i]);
    }
  }
  return result;
}

}  // namespace broadloom
