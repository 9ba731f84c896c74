// Which items are not zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

// The bits of an item that make it other than zero: all but the signs of floating-point numbers, for example.
struct ItemMask {
  std::uint64_t words[2];  // the second one for items of 16 bytes
};

// Writes the numbers of those among `count` dense items that have a bit of the mask, in ascending order. Returns how many there
// are. `numbers` has room for `count`.
std::size_t find_nonzero(std::size_t* numbers, const std::byte* from, const ItemMask& mask, std::size_t item_size,
                         std::size_t count);

}  // namespace broadloom
