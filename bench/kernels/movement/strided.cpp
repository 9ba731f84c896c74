// The layouts of bench/cases.mjs: its table, and its family in every size.
#include "kernels/movement/strided.h"

#include <string>

#include "../measure.h"

namespace broadloom::bench {
namespace {

// Placeholders for dims that depend on the size: `n` is the number of elements divided by the other dims, `root` a power of two
// near its square root.
constexpr std::int64_t n = -1;
constexpr std::int64_t root = -2;

struct Broadcast {
  const char* pattern;
  Numbers input;
  Numbers output;
};

const Broadcast table[] = {
    {"fill", {1}, {4, 3, 2}},
    {"fill", {1}, {1024, 1024}},
    {"fill", {1}, {4096, 4096}},
    {"interleaved", {3, 1}, {2, 3, 6}},
    {"trailing", {256, 1}, {256, 256}},
    {"leading", {1, 224, 224}, {32, 224, 224}},
    {"trailing", {224, 224, 1}, {224, 224, 3}},
    {"leading", {1, 1, 3}, {224, 224, 3}},
    {"interleaved", {1, 8, 1, 64}, {4, 8, 128, 64}},
    {"trailing", {4096, 1}, {4096, 4096}},
    {"tiny_axes", {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
};
constexpr std::int64_t table_item = 4;  // float32

const Broadcast family[] = {
    {"fill", {1}, {n}},
    {"leading", {1, 3}, {n, 3}},
    {"leading", {1, 997}, {n, 997}},
    {"leading", {1, root}, {n, root}},
    {"trailing", {n, 1}, {n, 3}},
    {"trailing", {n, 1}, {n, 4}},
    {"trailing", {n, 1}, {n, 64}},
    {"middle", {n, 1, 13}, {n, 7, 13}},
    {"middle", {n, 1, 16}, {n, 8, 16}},
    {"middle", {n, 1, 100}, {n, 3, 100}},
    {"interleaved", {n, 1, 8, 1}, {n, 4, 8, 16}},
    {"interleaved", {n, 1, 3, 1, 5}, {n, 2, 3, 4, 5}},
    {"tiny_axes", {n, 1, 2, 1, 2, 1, 2, 1}, {n, 2, 2, 2, 2, 2, 2, 2}},
};

// The layout of the broadcast to about `count` elements.
Layout layout_of(const Broadcast& broadcast, std::size_t count) {
  std::int64_t root_size = 1;
  while (root_size * root_size * 2 <= static_cast<std::int64_t>(count)) root_size *= 2;
  std::size_t inner = 1;
  for (const std::int64_t dim : broadcast.output)
    if (dim != n) inner *= static_cast<std::size_t>(dim == root ? root_size : dim);
  const auto outer = static_cast<std::int64_t>(units_in(count, inner));
  const auto sized = [&](const Numbers& dims) {
    Dims result{std::span(dims)};
    for (std::int64_t& dim : result) dim = dim == n ? outer : dim == root ? root_size : dim;
    return result;
  };
  return broadcast_to(dense_layout(sized(broadcast.input)), sized(broadcast.output));
}

void materialize_broadcast(benchmark::State& state, const Broadcast& broadcast) {
  const std::size_t item = size_arg(state, 0);
  const Layout layout = layout_of(broadcast, size_arg(state, 1) / item);
  const auto count = static_cast<std::size_t>(layout.count());
  const std::vector<std::byte> from = distinct_bytes(count * item);
  measure(state, count * item, [&](std::byte* to) { materialize(to, from.data(), layout, item); });
}

std::string name_of(const Numbers& dims) {
  std::string name;
  for (const std::int64_t dim : dims) {
    if (!name.empty()) name += 'x';
    name += dim == n ? "n" : dim == root ? "root" : std::to_string(dim);
  }
  return name;
}

auto* add(const Broadcast& broadcast) {
  const std::string name =
      std::string("Materialize/") + broadcast.pattern + ':' + name_of(broadcast.input) + "->" + name_of(broadcast.output);
  const auto run = [&broadcast](benchmark::State& state) { materialize_broadcast(state, broadcast); };
  return benchmark::RegisterBenchmark(name.c_str(), run)->ArgNames({"item", "bytes"});
}

const bool registered = [] {
  for (const Broadcast& broadcast : table)
    add(broadcast)->Args({table_item, table_item * count_of(std::span(broadcast.output))});
  for (const Broadcast& broadcast : family) add(broadcast)->ArgsProduct({item_sizes, sizes});
  return true;
}();

}  // namespace
}  // namespace broadloom::bench
