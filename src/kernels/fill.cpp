#include "kernels/fill.h"

#include <cstring>

#include "kernels/simd.h"

namespace broadloom {
namespace {

bool all_bytes_equal(const std::byte* item, std::size_t item_size) { return std::memcmp(item, item + 1, item_size - 1) == 0; }

}  // namespace

void fill(std::byte* to, const std::byte* item, std::size_t item_size, std::size_t count) {
  const std::size_t bytes = item_size * count;
  if (bytes < vector_bytes) {
    for (std::size_t i = 0; i < bytes; i += item_size) std::memcpy(to + i, item, item_size);
    return;
  }
  if (all_bytes_equal(item, item_size)) {
    std::memset(to, std::to_integer<int>(*item), bytes);
    return;
  }
  const Vector pattern = splat(item, item_size);
  std::size_t i = 0;
  for (; i + 4 * vector_bytes <= bytes; i += 4 * vector_bytes) {
    store(to + i, pattern);
    store(to + i + vector_bytes, pattern);
    store(to + i + 2 * vector_bytes, pattern);
    store(to + i + 3 * vector_bytes, pattern);
  }
  for (; i + vector_bytes <= bytes; i += vector_bytes) store(to + i, pattern);
  // The tail is one last store that overlaps the one before: item sizes divide the vector, so the pattern is in phase.
  store(to + bytes - vector_bytes, pattern);
}

}  // namespace broadloom
