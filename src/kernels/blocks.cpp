#include "kernels/blocks.h"

#include <cstring>

#include "kernels/copy.h"
#include "kernels/simd.h"

namespace broadloom {
namespace {

bool is_item(std::size_t bytes) { return bytes <= vector_bytes && (bytes & (bytes - 1)) == 0; }

}  // namespace

void gather_blocks(std::byte* to, const std::byte* from, std::span<const std::ptrdiff_t> offsets, std::size_t block_bytes) {
  if (is_item(block_bytes)) {
    with_item_size(block_bytes, [&]<std::size_t size>() {
      for (std::size_t i = 0; i < offsets.size(); ++i) std::memcpy(to + i * size, from + offsets[i], size);
    });
  } else {
    for (std::size_t i = 0; i < offsets.size(); ++i) copy_bytes(to + i * block_bytes, from + offsets[i], block_bytes);
  }
}

void scatter_blocks(std::byte* to, std::span<const std::ptrdiff_t> offsets, const std::byte* from, std::size_t step,
                    std::size_t block_bytes) {
  if (is_item(block_bytes)) {
    with_item_size(block_bytes, [&]<std::size_t size>() {
      for (std::size_t i = 0; i < offsets.size(); ++i) std::memcpy(to + offsets[i], from + i * step, size);
    });
  } else {
    for (std::size_t i = 0; i < offsets.size(); ++i) copy_bytes(to + offsets[i], from + i * step, block_bytes);
  }
}

}  // namespace broadloom
