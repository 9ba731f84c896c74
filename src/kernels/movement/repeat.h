// Repeats each of many blocks.
#pragma once

#include <cstddef>

namespace broadloom {

// Writes each of the `count` dense blocks of `block_bytes` bytes at `from` `times` times, at least twice, in their order.
// No alignment is asked for, and the places do not overlap.
void repeat_each(std::byte* to, const std::byte* from, std::size_t block_bytes, std::size_t count, std::size_t times);

// Whether these are repeated by constant shuffles, which are made faster than any other way.
bool has_constant_shuffles(std::size_t block_bytes, std::size_t times);

}  // namespace broadloom
