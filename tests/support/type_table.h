// The element types of each version of an operator: section 0 of the rules, written independently of the schemas.
#pragma once

#include <cstdint>

#include "core/dtype.h"

namespace broadloom::test {

// The first opset in which operators for "all tensor types" allow this type.
inline std::int64_t first_opset_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::bfloat16: return 13;
    case Dtype::float8e4m3fn:
    case Dtype::float8e4m3fnuz:
    case Dtype::float8e5m2:
    case Dtype::float8e5m2fnuz: return 19;
    case Dtype::uint4:
    case Dtype::int4: return 21;
    case Dtype::float4e2m1: return 23;
    case Dtype::float8e8m0: return 24;
    case Dtype::uint2:
    case Dtype::int2: return 25;
    default: return 1;
  }
}

inline bool constant_allows(Dtype dtype, std::int64_t opset) {
  if (opset < 9) return dtype == Dtype::float16 || dtype == Dtype::float32 || dtype == Dtype::float64;
  return opset >= first_opset_of(dtype);
}

inline bool constant_of_shape_allows(Dtype dtype, std::int64_t opset) {
  if (dtype == Dtype::string || dtype == Dtype::complex64 || dtype == Dtype::complex128) return false;
  if (first_opset_of(dtype) == 13 || first_opset_of(dtype) == 19) return opset >= 20;
  return opset >= first_opset_of(dtype);
}

inline bool shape_allows(Dtype dtype, std::int64_t opset) { return opset >= first_opset_of(dtype); }

inline bool expand_allows(Dtype dtype, std::int64_t opset) {
  return first_opset_of(dtype) <= 13 && opset >= first_opset_of(dtype);
}

}  // namespace broadloom::test
