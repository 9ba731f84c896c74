#include "kernels/movement/fill.h"

#include <cstdint>
#include <cstring>

#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"

namespace broadloom {
namespace {

bool all_bytes_equal(const std::byte* item, std::size_t item_size) {
  for (std::size_t i = 1; i < item_size; ++i) {
    if (item[i] != item[0]) return false;
  }
  return true;
}

}  // namespace

void fill_vectors(std::byte* to, Vector pattern, std::size_t item_size, std::size_t bytes) {
  std::byte* const last = to + bytes - vector_bytes;
  store(to, pattern);
  // Item sizes divide the vector, so the pattern is in phase at any address of an item.
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  to += vector_bytes - (address % item_size == 0 ? address % vector_bytes : 0);
  for (; to + 3 * vector_bytes < last; to += 4 * vector_bytes) {
    store(to, pattern);
    store(to + vector_bytes, pattern);
    store(to + 2 * vector_bytes, pattern);
    store(to + 3 * vector_bytes, pattern);
  }
  for (; to < last; to += vector_bytes) store(to, pattern);
  store(last, pattern);
}

void fill(std::byte* to, const std::byte* item, std::size_t item_size, std::size_t count) {
  const std::size_t bytes = item_size * count;
  if (bytes < vector_bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = item[i % item_size];
    return;
  }
  if (bytes >= few_bytes && bytes <= cached_result && all_bytes_equal(item, item_size)) {
    std::memset(to, std::to_integer<int>(*item), bytes);
    return;
  }
  with_item_size(item_size, [&]<std::size_t size>() { fill_vectors(to, splat<size>(item), size, bytes); });
}

}  // namespace broadloom
