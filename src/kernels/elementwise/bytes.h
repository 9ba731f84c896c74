// Loops over bytes that stand for numbers: (byte - zero point) * scale.
#pragma once

#include <cstddef>

namespace broadloom {

// Writes table[byte] for each of `count` bytes. `to` may be `from`.
void replace_bytes(std::byte* to, const std::byte* from, const std::byte* table, std::size_t count);

// How two bytes become one: (a - zeros[0]) * scales[0] + (b - zeros[1]) * scales[1], or (a - zeros[0]) * (b - zeros[1]) *
// scales[0], rounded to the nearest, ties to even, plus zeros[2], and limited to the range of the type.
struct BytePair {
  bool is_product;
  bool is_signed;
  float scales[2];
  float zeros[3];
};
void combine_bytes(std::byte* to, const std::byte* a, const std::byte* b, std::size_t count, const BytePair& how);

}  // namespace broadloom
