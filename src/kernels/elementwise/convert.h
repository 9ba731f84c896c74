// Converts elements between numeric types.
//
// Integers to integers: the low bits, as the new type. To bool: whether the number is not 0, which is true for a NaN. To
// floating-point types: the nearest value, ties to the even pattern, rounded once from the exact value; infinity
// if it is too large, except for the smallest types (Rounding). From floating-point types to integers: towards zero. ONNX
// does not define the result for NaN and values out of range. Here it is as on x86: the low bits of the least int32 for int32
// and types of at most 16 bits, otherwise of the least int64; uint64 supports its whole range. A NaN
// that becomes a NaN of another type keeps its sign and its highest bits if that type has room for them, also a signaling NaN.
// So a conversion to a larger type and back keeps every bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/status.h"
#include "kernels/base/loop.h"

namespace broadloom {

// Options for the smallest types. For float8 types: whether numbers above the largest, including infinity, become the largest;
// otherwise they become infinity, or NaN in types without infinity. float4e2m1 has neither: larger numbers become the largest
// number, and NaN becomes -0. float8e8m0 has no sign. Magnitudes between two powers of two become one of them, those below the
// least become the least, and infinities become NaN.
enum class PowerRounding : std::uint8_t { up, down, nearest };  // nearest: ties to the greater one
struct Rounding {
  bool saturates = true;
  PowerRounding power = PowerRounding::up;
};

// The accumulate type of a type. Types of 8 and 16 bits are computed in int32 or float32, which represent their elements
// exactly. Stores keep the low bits of an integer, and round a number to nearest, ties to even. There are no loops if a type
// is computed in itself. `round` is a store and a load in one, for float16 and bfloat16.
struct AccumulateType {
  Dtype dtype;
  InnerLoop load = nullptr;
  InnerLoop store = nullptr;
  InnerLoop round = nullptr;
};
AccumulateType accumulate_type_of(Dtype dtype);

// Whether it is a floating-point type of two bytes.
inline bool is_half(Dtype dtype) { return dtype == Dtype::float16 || dtype == Dtype::bfloat16; }

// The consecutive loops that convert elements from one type to another, if no option of rounding matters:
// between bool, float16, bfloat16, float32, float64 and integers of 8 bits and more, but not for all pairs. No loops
// if the bits stay the same.
struct Conversion {
  InnerLoop loops[4];
  std::size_t count = 0;
  bool exists = false;
};
Conversion conversion_of(Dtype to, Dtype from);

// Writes `count` elements. Neither type may be complex or string. Elements of less than a byte are packed, and the rest of the
// last byte is 0. `to` and `from` must not overlap.
void convert(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count, Rounding rounding = {});

// Converts any number of elements as convert() does. Fails when the time is over.
Status convert_watched(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count,
                       Rounding rounding = {});

// The bits of the element nearest to a number. The type must be a floating-point type, and not complex.
std::uint64_t round_to(Dtype dtype, double value, Rounding rounding = {});

}  // namespace broadloom
