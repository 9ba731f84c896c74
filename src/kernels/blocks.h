// Blocks of bytes at places that a list tells: what indices point at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

// Copies to `to`, one behind the other, the blocks of `block_bytes` bytes that lie offsets[i] bytes from `from`.
void gather_blocks(std::byte* to, const std::byte* from, std::span<const std::ptrdiff_t> offsets, std::size_t block_bytes);

// Copies the blocks that lie `step` bytes apart from `from` on, to offsets[i] bytes from `to`, one after the other. With step 0
// all are the same.
void scatter_blocks(std::byte* to, std::span<const std::ptrdiff_t> offsets, const std::byte* from, std::size_t step,
                    std::size_t block_bytes);

}  // namespace broadloom
