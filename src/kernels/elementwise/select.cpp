#include "kernels/elementwise/select.h"

#include <algorithm>

#include "kernels/base/simd.h"
#include "kernels/movement/block_reader.h"

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

template <std::size_t size>
void select_dense(std::byte* to, const std::byte* const* from, std::size_t count) {
  const std::byte* conditions = from[0];
  const std::byte* x = from[1];
  const std::byte* y = from[2];
  std::size_t i = 0;
  // Items that fill a vector are copied as fast one by one.
  for (; size < vector_bytes && i + vector_bytes <= count; i += vector_bytes) {
    select_sixteen<size>(to + i * size, mask_of_bools(load(conditions + i)), x + i * size, y + i * size,
                         std::make_index_sequence<size>());
  }
  for (; i < count; ++i) std::memcpy(to + i * size, (conditions[i] != std::byte{0} ? x : y) + i * size, size);
}

}  // namespace

InnerLoop select_loop(std::size_t item_size) {
  InnerLoop loop = nullptr;
  with_item_size(item_size, [&]<std::size_t size>() { loop = select_dense<size>; });
  return loop;
}

void select_items(std::byte* to, const Choice& from, const ChoiceLayouts& layouts, std::size_t item_size, std::size_t count) {
  if (count == 0) return;
  BlockReader conditions(from.conditions, layouts.conditions, count, 1);
  BlockReader x(from.x, layouts.x, count, item_size);
  BlockReader y(from.y, layouts.y, count, item_size);
  const InnerLoop choose = select_loop(item_size);
  while (count > 0) {
    const std::size_t items = std::min({count, conditions.ready(), x.ready(), y.ready()});
    const std::byte* const blocks[] = {conditions.next(items), x.next(items), y.next(items)};
    choose(to, blocks, items);
    to += items * item_size;
    count -= items;
  }
}

}  // namespace broadloom
