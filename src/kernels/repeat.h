// Repeats each of many items.
#pragma once

#include <cstddef>

namespace broadloom {

// Writes each of the `count` dense items at `from` `times` times, at least twice, in their order. `item_size` is 1, 2, 4,
// 8 or 16; no alignment is asked for, and the places do not overlap.
void repeat_each(std::byte* to, const std::byte* from, std::size_t item_size, std::size_t count, std::size_t times);

}  // namespace broadloom
