#include "kernels/nonzero.h"

#include <algorithm>

#include "kernels/simd.h"

namespace broadloom {

std::size_t find_nonzero(std::size_t* numbers, const std::byte* from, const ItemMask& mask, std::size_t item_size,
                         std::size_t count) {
  std::size_t found = 0;
  with_item_size(item_size, [&]<std::size_t size>() {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t words[2] = {0, 0};
      std::memcpy(words, from + i * size, size);
      numbers[found] = i;
      found += ((words[0] & mask.words[0]) | (words[1] & mask.words[1])) != 0 ? 1 : 0;
    }
  });
  return found;
}

}  // namespace broadloom
