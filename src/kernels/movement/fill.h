// Repeats one item.
#pragma once

#include <cstddef>

#include "kernels/base/simd.h"

namespace broadloom {

// Writes the `item_size` bytes at `item` to `to`, `count` times. `item_size` is 1, 2, 4, 8 or 16; `to` and `item` need
// no alignment and do not overlap.
void fill(std::byte* to, const std::byte* item, std::size_t item_size, std::size_t count);

// Writes at least one vector of a pattern. `item_size` is that of the pattern.
void fill_vectors(std::byte* to, Vector pattern, std::size_t item_size, std::size_t bytes);

}  // namespace broadloom
