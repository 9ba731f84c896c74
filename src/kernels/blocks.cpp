#include "kernels/blocks.h"

#include <cstring>

#include "kernels/copy.h"
#include "kernels/simd.h"

namespace broadloom {
namespace {

bool is_item(std::size_t bytes) { return bytes <= vector_bytes && (bytes & (bytes - 1)) == 0; }

template <class Index>
std::size_t add_typed(std::ptrdiff_t* offsets, std::size_t count, const Indices& indices) {
  const auto step = static_cast<std::size_t>(indices.step);
  const std::byte* from = indices.from;
  for (std::size_t i = 0; i < count; ++i, from += indices.stride_bytes) {
    std::int64_t index = *reinterpret_cast<const Index*>(from);
    if (index < 0) index += indices.size;
    if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(indices.size)) return i;
    // An index too large for size_t is one of an axis whose step is 0.
    offsets[i] = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(offsets[i]) + static_cast<std::size_t>(index) * step);
  }
  return count;
}

}  // namespace

std::size_t add_indices(std::ptrdiff_t* offsets, std::size_t count, const Indices& indices) {
  return indices.is_wide ? add_typed<std::int64_t>(offsets, count, indices) : add_typed<std::int32_t>(offsets, count, indices);
}

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
