// Layouts other than broadcasts: transposes, reversals and short rows. bench/strided-cases.mjs has more of them, for wasm.
#include "../measure.h"
#include "kernels/movement/strided.h"

namespace broadloom::bench {
namespace {

void materialize_layout(benchmark::State& state, const Layout& layout, std::int64_t first) {
  const std::size_t item = size_arg(state, 0);
  const auto count = static_cast<std::size_t>(layout.count());
  const std::vector<std::byte> from = distinct_bytes(count * item);
  const std::byte* start = from.data() + static_cast<std::size_t>(first) * item;
  measure(state, count * item, [&](std::byte* to) { materialize(to, start, layout, item); });
}

void Transpose(benchmark::State& state) {
  const std::int64_t side = state.range(1);
  materialize_layout(state, {{side, side}, {1, side}}, 0);
}
BENCHMARK(Transpose)->ArgNames({"item", "side"})->ArgsProduct({item_sizes, {100, 1000, 2000, 2048, 4096}});

void Planes(benchmark::State& state) {
  const std::int64_t channels = state.range(1);
  materialize_layout(state, {{channels, 224 * 224}, {1, channels}}, 0);
}
BENCHMARK(Planes)->ArgNames({"item", "channels"})->ArgsProduct({{1, 4}, {3, 4, 64}});

void Pixels(benchmark::State& state) {
  const std::int64_t channels = state.range(1);
  materialize_layout(state, {{224 * 224, channels}, {1, 224 * 224}}, 0);
}
BENCHMARK(Pixels)->ArgNames({"item", "channels"})->ArgsProduct({{1, 4}, {3, 4, 64}});

void Reversed(benchmark::State& state) {
  const std::int64_t row = state.range(1);
  materialize_layout(state, {{1000000 / row, row}, {row, -1}}, row - 1);
}
BENCHMARK(Reversed)->ArgNames({"item", "row"})->ArgsProduct({item_sizes, {3, 1000}});

}  // namespace
}  // namespace broadloom::bench
