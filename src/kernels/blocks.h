// Blocks of bytes at places that a list tells: what indices point at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

// Indices that count on one axis.
struct Indices {
  const std::byte* from;
  std::ptrdiff_t stride_bytes;  // from one to the next
  bool is_wide;                 // int64, else int32
  std::int64_t size;            // of the axis; negative indices count from its end
  std::ptrdiff_t step;          // of the axis, in bytes
};

// Offsets of places, in bytes: number i has what its index stands for, and i times `step`, and `start`.
struct Start {
  std::ptrdiff_t start;
  std::ptrdiff_t step;
};

// Writes the first `count` offsets. Returns the number of the first index that is out of bounds, before which it ends; `count`
// if none is.
std::size_t find_places(std::ptrdiff_t* offsets, std::size_t count, Start start, const Indices& indices);
// Adds what further indices stand for, in the same way.
std::size_t add_places(std::ptrdiff_t* offsets, std::size_t count, const Indices& indices);

// Copies to `to`, one behind the other, the blocks of `block_bytes` bytes that lie offsets[i] bytes from `from`.
void gather_blocks(std::byte* to, const std::byte* from, std::span<const std::ptrdiff_t> offsets, std::size_t block_bytes);

// Copies the blocks that lie `step` bytes apart from `from` on, to offsets[i] bytes from `to`, one after the other. With step 0
// all are the same.
void scatter_blocks(std::byte* to, std::span<const std::ptrdiff_t> offsets, const std::byte* from, std::size_t step,
                    std::size_t block_bytes);

}  // namespace broadloom
