#include "ops/image/averages.h"

#include "core/text.h"

namespace broadloom {

Dtype sum_type_of(Dtype dtype) {
  const auto& [name, bits, kind] = info(dtype);
  if (kind == DtypeKind::complex) return bits == 64 ? Dtype::float32 : Dtype::float64;
  return bits <= 16 || dtype == Dtype::float32 ? Dtype::float32 : Dtype::float64;
}

Status check_averages(Dtype dtype, std::string_view mode) {
  if (dtype != Dtype::boolean && dtype != Dtype::string) return {};
  return fail(Code::InvalidArgument, "{} interpolation has averages, which {} elements have not", mode, dtype);
}

}  // namespace broadloom
