// Elements of one numeric type as elements of another.
//
// Integers to integers: the low bits, read by the new type. To bool: whether it is not 0, which is true of a NaN. To
// floating-point types: the nearest value, of two the one with the even pattern, rounded once from the exact value; infinity
// where it is too large, except for the smallest types (Rounding). From floating-point types to integers: towards zero. ONNX
// leaves open what a NaN and a value out of range become. Here they are as on x86: the low bits of the least int32 for int32
// and types of at most 16 bits, else of the least int64; uint64 takes all that lies in its range. A NaN
// that becomes a NaN of another type keeps its sign and its highest bits where that type has room for them, signaling ones,
// too. So elements of a type that holds all of another one's numbers give back every bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/loop.h"

namespace broadloom {

// Options of the smallest types. Of float8 types: whether what is above the largest number becomes the largest, infinity, too;
// else it becomes infinity or, where there is none, NaN. float4e2m1 has neither: all that is too large becomes the largest
// number, and NaN becomes -0. float8e8m0 has no sign; magnitudes between two powers of two become one of them, those below the
// least become the least, and infinities NaN.
enum class PowerRounding : std::uint8_t { up, down, nearest };  // nearest: the greater one of two that are equally near
struct Rounding {
  bool saturates = true;
  PowerRounding power = PowerRounding::up;
};

// The type in which a type is computed. Types of 8 and 16 bits are computed in int32 or float32, which hold their elements
// exactly. Stores keep the low bits of an integer, and round a number to nearest, ties to even. There are no loops where a type
// is computed in itself.
struct AccumulateType {
  Dtype dtype;
  InnerLoop load;
  InnerLoop store;
};
AccumulateType accumulate_type_of(Dtype dtype);

// Of two bytes.
inline bool is_half(Dtype dtype) { return dtype == Dtype::float16 || dtype == Dtype::bfloat16; }

// The loops, one after the other, that make elements of one type from those of another, where no choice of rounding matters:
// between bool, float16, bfloat16, float32, float64 and integers of 8 bits and more, though not all pairs of them exist. None
// where the bits stay as they are.
struct Conversion {
  InnerLoop loops[4];
  std::size_t count = 0;
  bool exists = false;
};
Conversion conversion_of(Dtype to, Dtype from);

// Writes `count` elements. Neither type is complex or string; elements of less than a byte are packed, and the rest of the last
// byte is 0. The places do not overlap.
void convert(std::byte* to, Dtype to_type, const std::byte* from, Dtype from_type, std::size_t count, Rounding rounding = {});

// The bits of the element that is nearest to a number. The type is a floating-point one, and not complex.
std::uint64_t round_to(Dtype dtype, double value, Rounding rounding = {});

}  // namespace broadloom
