#include "kernels/order/nonzero.h"

#include "core/bits.h"

namespace broadloom {

std::size_t find_nonzero(std::size_t* numbers, const std::byte* from, const ItemMask& mask, std::size_t item_size,
                         std::size_t count) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i, from += item_size) {
    std::uint64_t bits = load_bits(from, item_size) & mask.words[0];
    if (item_size > sizeof bits) bits |= load_bits(from + sizeof bits, sizeof bits) & mask.words[1];
    numbers[found] = i;
    found += bits != 0 ? 1 : 0;
  }
  return found;
}

}  // namespace broadloom
