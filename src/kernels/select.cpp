#include "kernels/select.h"

#include "kernels/simd.h"

namespace broadloom {
namespace {

// Vector number `number` of those that the masks of sixteen items fill.
template <std::size_t item_size, std::size_t number, std::size_t... byte>
Vector widened(Vector masks, std::index_sequence<byte...>) {
  return shuffle(masks, std::index_sequence<(number * vector_bytes + byte) / item_size...>());
}

template <std::size_t item_size, std::size_t... number>
void select_sixteen(std::byte* to, Vector masks, const std::byte* x, const std::byte* y, std::index_sequence<number...>) {
  (store(to + number * vector_bytes, select(widened<item_size, number>(masks, std::make_index_sequence<vector_bytes>()),
                                            load(x + number * vector_bytes), load(y + number * vector_bytes))),
   ...);
}

}  // namespace

void select_items(std::byte* to, const std::byte* conditions, const std::byte* x, const std::byte* y, std::size_t item_size,
                  std::size_t count) {
  with_item_size(item_size, [&]<std::size_t size>() {
    std::size_t i = 0;
    // Items that fill a vector are copied as fast one by one.
    for (; size < vector_bytes && i + vector_bytes <= count; i += vector_bytes) {
      select_sixteen<size>(to + i * size, mask_of_bools(load(conditions + i)), x + i * size, y + i * size,
                           std::make_index_sequence<size>());
    }
    for (; i < count; ++i) std::memcpy(to + i * size, (conditions[i] != std::byte{0} ? x : y) + i * size, size);
  });
}

}  // namespace broadloom
