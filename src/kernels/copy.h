// Copies: a block repeated, a strided row gathered.
#pragma once

#include <cstddef>

namespace broadloom {

// `to` starts with a block of `block_bytes`; writes it `times - 1` more times behind itself.
void repeat_block(std::byte* to, std::size_t block_bytes, std::size_t times);

// Copies `count` items that lie `stride_bytes` apart to a dense row. Item sizes as in fill.
void gather(std::byte* to, const std::byte* from, std::ptrdiff_t stride_bytes, std::size_t item_size, std::size_t count);

}  // namespace broadloom
