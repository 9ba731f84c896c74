#include "graph/rewrite/passes/elements.h"

#include <algorithm>
#include <cstring>

#include "core/dtype.h"

namespace broadloom {

bool is_whole(Dtype dtype) {
  if (dtype == Dtype::undefined) return false;
  const DtypeKind kind = info(dtype).kind;
  return kind == DtypeKind::unsigned_integer || kind == DtypeKind::signed_integer;
}

bool are_all(const Tensor* tensor, bool is_one) {
  if (tensor == nullptr || tensor->count() == 0) return false;
  std::uint64_t one = 1;
  switch (tensor->dtype) {
    case Dtype::float32: one = 0x3F800000; break;
    case Dtype::float64: one = 0x3FF0000000000000; break;
    case Dtype::float16: one = 0x3C00; break;
    case Dtype::bfloat16: one = 0x3F80; break;
    default:
      if (info(tensor->dtype).bits < 8 || !(is_whole(tensor->dtype) || tensor->dtype == Dtype::boolean)) return false;
  }
  const std::uint64_t item = is_one ? one : 0;
  const std::size_t size = item_size(tensor->dtype);
  const Span span = span_of(tensor->layout);
  for (std::int64_t i = span.lowest; i <= span.highest; ++i) {
    if (std::memcmp(tensor->data() + i * static_cast<std::int64_t>(size), &item, size) != 0) return false;
  }
  return true;
}

bool is_known(const Tensor& tensor) {
  if (!tensor.has_elements() || !tensor.is_ranked()) return false;
  if (!are_numbers(tensor.dims())) return false;
  return are_elements_numbers(tensor);
}

}  // namespace broadloom
