#include "kernels/movement/fill.h"

#include "../measure.h"

namespace broadloom::bench {
namespace {

void Fill(benchmark::State& state) {
  const std::size_t item = size_arg(state, 0);
  const std::size_t bytes = size_arg(state, 1);
  const std::vector<std::byte> from = distinct_bytes(item);
  measure(state, bytes, [&](std::byte* to) { fill(to, from.data(), item, bytes / item); });
}
BENCHMARK(Fill)->ArgNames({"item", "bytes"})->ArgsProduct({item_sizes, sizes});

}  // namespace
}  // namespace broadloom::bench
