#include "kernels/elementwise.h"

#include <algorithm>
#include <optional>

#include "kernels/block_reader.h"

namespace broadloom {

void compute_elementwise(Operation operation, Dtype dtype, std::byte* to, std::span<const Operand> operands,
                         std::size_t count) {
  if (count == 0) return;
  const Computation computation = computation_of(operation, dtype);
  const std::size_t item = item_size(dtype);
  const std::size_t loaded = item_size(computation.dtype);
  const std::size_t result = gives_bools(operation) ? 1 : item;
  const auto is_whole = [count](const Operand& operand) { return count == 1 || is_dense(*operand.layout); };
  if (computation.load == nullptr && std::all_of(operands.begin(), operands.end(), is_whole)) {
    const std::byte* const from[] = {operands.front().data, operands.back().data};
    return computation.loop(to, from, count);
  }
  BlockReader first(operands[0].data, *operands[0].layout, count, item, computation.load, loaded);
  std::optional<BlockReader> second;
  if (operands.size() > 1) second.emplace(operands[1].data, *operands[1].layout, count, item, computation.load, loaded);
  alignas(16) std::byte computed[block_items * 4];
  while (count > 0) {
    std::size_t items = std::min(count, first.ready());
    if (second) items = std::min(items, second->ready());
    if (computation.store != nullptr) items = std::min(items, block_items);
    const std::byte* const from[] = {first.next(items), second ? second->next(items) : nullptr};
    if (computation.store == nullptr) {
      computation.loop(to, from, items);
    } else {
      computation.loop(computed, from, items);
      const std::byte* const results[] = {computed};
      computation.store(to, results, items);
    }
    to += items * result;
    count -= items;
  }
}

}  // namespace broadloom
