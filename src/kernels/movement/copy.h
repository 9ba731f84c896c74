// Copies: bytes, a block repeated, a strided row gathered.
#pragma once

#include <cstddef>

namespace broadloom {

// The largest block that is copied repeatedly: it stays in the first-level cache beside the target. On the
// machine of bench/results, blocks of 8 KiB reach 0.8 of memory.fill within the second-level cache and 0.9 beyond the third,
// blocks of 2 KiB 0.6 and 0.4, of 16 KiB 0.7 and 0.7, of 20 KiB 0.5 and 0.6.
inline constexpr std::size_t cached_block = std::size_t{8} * 1024;

// memory.copy and memory.fill have a fixed cost of 5 ns. Up to this number of bytes, a loop is faster.
inline constexpr std::size_t few_bytes = 512;

// Larger results go to memory, and storing vectors is as fast as memory: at 64 MiB it reaches 1.0 for one item and 0.78 for a
// block, where memory.fill reaches 0.7 and copies of a cached block 0.7. Up to here these are 1.2 times as fast. It is less
// than the parts in which tensors are written (strided.cpp).
inline constexpr std::size_t cached_result = std::size_t{2} * 1024 * 1024;

// Copies `bytes` between places that do not overlap; fast for few bytes too.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes);

// Copies at least one vector by storing vectors.
void copy_vectors(std::byte* to, const std::byte* from, std::size_t bytes);

// Copies `rows` rows of `row_bytes`, with a pitch in bytes on each side. It is fast for short rows, too.
void copy_rows(std::byte* to, std::size_t to_pitch, const std::byte* from, std::size_t from_pitch, std::size_t row_bytes,
               std::size_t rows);

// `to` starts with a block of `block_bytes`. Repeats it up to `bytes` bytes in total. The last
// repetition may be cut.
void repeat_block(std::byte* to, std::size_t block_bytes, std::size_t bytes);

// Copies `count` items with a stride in bytes to a dense row. Item sizes are as in fill.
void gather(std::byte* to, const std::byte* from, std::ptrdiff_t stride_bytes, std::size_t item_size, std::size_t count);

}  // namespace broadloom
