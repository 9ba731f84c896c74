#include "kernels/movement/blocks.h"

#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"

namespace broadloom {
namespace {

// Calls use(i, offset) for each index.
template <class Index, class Use>
std::size_t each_index(std::size_t count, const Indices& indices, Use use) {
  const auto step = wrapped(indices.step);
  const auto size = indices.size;
  const std::byte* from = indices.from;
  for (std::size_t i = 0; i < count; ++i, from += indices.stride_bytes) {
    std::int64_t index = *reinterpret_cast<const Index*>(from);
    if (index < 0) index += size;
    if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(size)) return i;
    // An index too large for size_t is one of an axis whose step is 0.
    use(i, wrapped(index) * step);
  }
  return count;
}

template <class Use>
std::size_t each(std::size_t count, const Indices& indices, Use use) {
  return indices.is_wide ? each_index<std::int64_t>(count, indices, use) : each_index<std::int32_t>(count, indices, use);
}

}  // namespace

// Sums as size_t: steps may be negative, and wrap.

std::size_t find_places(std::ptrdiff_t* offsets, std::size_t count, Start start, const Indices& indices) {
  auto next = wrapped(start.start);
  return each(count, indices, [=](std::size_t i, std::size_t offset) mutable {
    offsets[i] = static_cast<std::ptrdiff_t>(next + offset);
    next += wrapped(start.step);
  });
}

std::size_t add_places(std::ptrdiff_t* offsets, std::size_t count, const Indices& indices) {
  return each(count, indices, [=](std::size_t i, std::size_t offset) {
    offsets[i] = static_cast<std::ptrdiff_t>(wrapped(offsets[i]) + offset);
  });
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
