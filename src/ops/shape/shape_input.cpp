#include "ops/shape/shape_input.h"

#include "core/count.h"
#include "core/text.h"

namespace broadloom {

Result<SymbolicDims> read_shape(const Call& call, std::size_t input, std::string_view name) {
  const Tensor& shape = *call.inputs[input];
  if (shape.dims().size() != 1) {
    return fail(Code::InvalidArgument, "input {} has dims {}, wanted one axis{}", quoted(name), shape.dims().values(),
                shape.dims().empty() ? ": give dims [1]" : "");
  }
  // A lazy shape may be too long for a std::size_t of wasm.
  BROADLOOM_CHECK(check_rank(static_cast<std::uint64_t>(shape.run_dims()[0])));
  Result<SymbolicDims> result(tl::in_place, in_memory(shape.run_dims()[0]), unknown_size);
  SymbolicDims& dims = *result;
  if (!shape.has_elements()) return result;
  const auto* elements = reinterpret_cast<const Size*>(shape.data());
  const std::int64_t stride = shape.layout->strides[0];
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Size element = elements[static_cast<std::int64_t>(i) * stride];
    dims[i] = call.is_run() ? nearest_number(element.word()) : element;
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_negative()) {
      return fail(Code::InvalidArgument, "input {} holds {}: entry {} is {}; sizes cannot be negative", quoted(name),
                  dims.values(), i, dims[i]);
    }
  }
  return result;
}

}  // namespace broadloom
