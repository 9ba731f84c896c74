#include "kernels/movement/repeat.h"

#include "../measure.h"

namespace broadloom::bench {
namespace {

// The last item is written whole, however often it is repeated.
void RepeatEach(benchmark::State& state) {
  const std::size_t item = size_arg(state, 0);
  const std::size_t times = size_arg(state, 1);
  const std::size_t count = units_in(size_arg(state, 2), item * times);
  const std::vector<std::byte> from = distinct_bytes(item * count);
  measure(state, item * times * count, [&](std::byte* to) { repeat_each(to, from.data(), item, count, times); });
}
BENCHMARK(RepeatEach)->ArgNames({"item", "times", "bytes"})->ArgsProduct({item_sizes, {2, 3, 7, 64, 1000}, sizes});

}  // namespace
}  // namespace broadloom::bench
