#include "kernels/select.h"

#include <algorithm>

#include "kernels/block_reader.h"
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

// All lie densely.
void select_dense(std::byte* to, const Choice& from, std::size_t item_size, std::size_t count) {
  with_item_size(item_size, [&]<std::size_t size>() {
    std::size_t i = 0;
    // Items that fill a vector are copied as fast one by one.
    for (; size < vector_bytes && i + vector_bytes <= count; i += vector_bytes) {
      select_sixteen<size>(to + i * size, mask_of_bools(load(from.conditions + i)), from.x + i * size, from.y + i * size,
                           std::make_index_sequence<size>());
    }
    for (; i < count; ++i) std::memcpy(to + i * size, (from.conditions[i] != std::byte{0} ? from.x : from.y) + i * size, size);
  });
}

}  // namespace

void select_items(std::byte* to, const Choice& from, const ChoiceLayouts& layouts, std::size_t item_size, std::size_t count) {
  if (count == 0) return;
  BlockReader conditions(from.conditions, layouts.conditions, count, 1, nullptr, 1);
  BlockReader x(from.x, layouts.x, count, item_size, nullptr, item_size);
  BlockReader y(from.y, layouts.y, count, item_size, nullptr, item_size);
  while (count > 0) {
    const std::size_t items = std::min({count, conditions.ready(), x.ready(), y.ready()});
    select_dense(to, {conditions.next(items), x.next(items), y.next(items)}, item_size, items);
    to += items * item_size;
    count -= items;
  }
}

}  // namespace broadloom
