// The sets of element types that recur in the schemas. Opsets with new types added them to the earlier sets.
#pragma once

#include "core/dtype.h"

namespace broadloom::types {

using enum Dtype;

inline constexpr TypeSet integers = uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64;
inline constexpr TypeSet floats = float16 | float32 | float64;
inline constexpr TypeSet bytes = uint8 | int8;
inline constexpr TypeSet numbers = integers | floats;
inline constexpr TypeSet wide_numbers = floats | int32 | int64 | uint32 | uint64;
inline constexpr TypeSet fixed_size = integers | floats | boolean;  // without strings and complex numbers
inline constexpr TypeSet all_opset_1 = fixed_size | string | complex64 | complex128;
inline constexpr TypeSet indices = int32 | int64;
inline constexpr TypeSet added_13 = bfloat16;
// The floats that are computed in float32.
inline constexpr TypeSet single_floats = float32 | float16 | bfloat16;
inline constexpr TypeSet added_19 = float8e4m3fn | float8e4m3fnuz | float8e5m2 | float8e5m2fnuz;
inline constexpr TypeSet added_21 = uint4 | int4;
inline constexpr TypeSet added_23 = float4e2m1;
inline constexpr TypeSet added_24 = float8e8m0;
inline constexpr TypeSet added_25 = uint2 | int2;

inline constexpr TypeSet floats_13 = floats | added_13;
inline constexpr TypeSet all_opset_13 = all_opset_1 | added_13;
inline constexpr TypeSet all_opset_19 = all_opset_13 | added_19;
inline constexpr TypeSet all_opset_21 = all_opset_19 | added_21;
inline constexpr TypeSet all_opset_23 = all_opset_21 | added_23;
inline constexpr TypeSet all_opset_24 = all_opset_23 | added_24;
inline constexpr TypeSet all_opset_25 = all_opset_24 | added_25;

}  // namespace broadloom::types
