#include "kernels/copy.h"

#include <algorithm>
#include <cstring>

namespace broadloom {
namespace {

// A block is doubled until it has this size and then repeated as it is: it stays in the first-level cache, where
// doubling all the way would read everything back from memory.
constexpr std::size_t cached_block = std::size_t{16} * 1024;

template <std::size_t size>
void gather_items(std::byte* to, const std::byte* from, std::ptrdiff_t stride_bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(to + i * size, from + static_cast<std::ptrdiff_t>(i) * stride_bytes, size);
}

}  // namespace

void repeat_block(std::byte* to, std::size_t block_bytes, std::size_t times) {
  const std::size_t bytes = block_bytes * times;
  std::size_t written = block_bytes;
  while (written < bytes && written < cached_block) {
    const std::size_t more = std::min(written, bytes - written);
    std::memcpy(to + written, to, more);
    written += more;
  }
  const std::size_t block = written;
  for (; written < bytes; written += block) std::memcpy(to + written, to, std::min(block, bytes - written));
}

void gather(std::byte* to, const std::byte* from, std::ptrdiff_t stride_bytes, std::size_t item_size, std::size_t count) {
  switch (item_size) {
    case 1: return gather_items<1>(to, from, stride_bytes, count);
    case 2: return gather_items<2>(to, from, stride_bytes, count);
    case 4: return gather_items<4>(to, from, stride_bytes, count);
    case 8: return gather_items<8>(to, from, stride_bytes, count);
    default: return gather_items<16>(to, from, stride_bytes, count);
  }
}

}  // namespace broadloom
