#include "ops/shape/shape_input.h"

#include "core/count.h"
#include "core/text.h"

namespace broadloom {

namespace {

// For sizes below 0, which are symbolic before a run.
[[gnu::cold, gnu::noinline]] Status check_negative(const Call& call, std::string_view name, SymbolicDims& dims) {
  if (call.is_run()) {
    for (Size& dim : dims) dim = nearest_number(dim.word());
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_negative()) {
      return fail(Code::InvalidArgument, "input {} holds {}: entry {} is {}; sizes cannot be negative", quoted(name),
                  dims.values(), i, dims[i]);
    }
  }
  return {};
}

}  // namespace

Result<SymbolicDims> read_shape(const Call& call, std::size_t input, std::string_view name) {
  const Tensor& shape = *call.inputs[input];
  if (shape.dims().size() != 1) {
    return fail(Code::InvalidArgument, "input {} has dims {}, wanted one axis{}", quoted(name), shape.dims().values(),
                shape.dims().empty() ? ": give dims [1]" : "");
  }
  // A lazy shape may be too long for a std::size_t of wasm.
  const std::int64_t length = shape.run_dims()[0];
  BROADLOOM_CHECK(check_rank(static_cast<std::uint64_t>(length)));
  Result<SymbolicDims> result(tl::in_place, in_memory(length));
  SymbolicDims& dims = *result;
  const Size* element = shape.has_elements() ? reinterpret_cast<const Size*>(shape.data()) : &unknown_size;
  const std::int64_t stride = shape.has_elements() ? shape.layout->strides[0] : 0;
  bool is_any_negative = false;
  for (Size& dim : dims) {
    dim = *element;
    is_any_negative = is_any_negative || dim.word() < 0;
    element += stride;
  }
  if (is_any_negative && shape.has_elements()) BROADLOOM_CHECK(check_negative(call, name, dims));
  return result;
}

}  // namespace broadloom
