// Blocks of bytes at a list of offsets, such as the elements at indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

// Indices for one axis.
struct Indices {
  const std::byte* from;
  std::ptrdiff_t stride_bytes;  // from one to the next
  bool is_wide;                 // int64, else int32
  std::int64_t size;            // of the axis; negative indices count from its end
  std::ptrdiff_t step;          // of the axis, in bytes
};

// The start of offsets in bytes: offset i is the position of index i, plus i * step, plus `start`.
struct Start {
  std::ptrdiff_t start;
  std::ptrdiff_t step;
};

// Writes the first `count` offsets. Stops at the first index out of bounds, and returns its position, or `count`
// if there is none.
std::size_t find_places(std::ptrdiff_t* offsets, std::size_t count, Start start, const Indices& indices);
// Adds the positions of further indices, in the same way.
std::size_t add_places(std::ptrdiff_t* offsets, std::size_t count, const Indices& indices);

// Copies blocks of `block_bytes` bytes at offsets[i] from `from` consecutively to `to`.
void gather_blocks(std::byte* to, const std::byte* from, std::span<const std::ptrdiff_t> offsets, std::size_t block_bytes);

// Copies blocks from `from`, with a distance of `step` bytes, to offsets[i] from `to`, in order. With step 0
// all are the same block.
void scatter_blocks(std::byte* to, std::span<const std::ptrdiff_t> offsets, const std::byte* from, std::size_t step,
                    std::size_t block_bytes);

}  // namespace broadloom
