// Constants of one byte that stand for numbers of float32, as DequantizeLinear computes these: (element - zero) * scale. They
// stay in bytes where they are packed, and become float32 while they are read.
#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "kernels/products/panels.h"

namespace broadloom {

// The numbers of columns. Steps are bytes from one column to the next: 0 where one number is for all.
struct ByteScales {
  Dtype dtype;  // of elements and zero points: int8 or uint8
  const std::byte* scales;
  std::ptrdiff_t scale_step;
  const std::byte* zeros;  // nullptr: 0
  std::ptrdiff_t zero_step;
};

// Elements are packed as uint8: those of int8 plus 128, and their zero points, too. A panel has a record: the scales of its
// columns, and their zero points.
inline constexpr std::size_t scale_record = 2 * panel_bytes;

// Writes the records of columns, from number `first` on. Those that whole panels have besides get zeros.
void write_scale_records(std::byte* to, const ByteScales& scales, std::size_t first, std::size_t columns);

// Between elements and what is packed of them, both ways.
void flip_bytes(std::byte* data, std::size_t count, Dtype dtype);

// Writes rows of a packed panel in float32, `to_step` bytes apart.
void widen_bytes(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step, std::size_t rows,
                 const std::byte* record);

}  // namespace broadloom
