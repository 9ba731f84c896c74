#include "kernels/movement/copy.h"

#include <cstdlib>

#include "../measure.h"

namespace broadloom::bench {
namespace {

void CopyBytes(benchmark::State& state) {
  const std::size_t bytes = size_arg(state, 0);
  const std::vector<std::byte> from = distinct_bytes(bytes);
  measure(state, bytes, [&](std::byte* to) { copy_bytes(to, from.data(), bytes); });
}
BENCHMARK(CopyBytes)->ArgName("bytes")->ArgsProduct({sizes});

// The contents of the block do not matter, so it is not written again.
void RepeatBlock(benchmark::State& state) {
  const std::size_t block = size_arg(state, 0);
  const std::size_t bytes = size_arg(state, 1);
  measure(state, bytes, [&](std::byte* to) { repeat_block(to, block, bytes); });
}
BENCHMARK(RepeatBlock)->ArgNames({"block", "bytes"})->ArgsProduct({{3, 16, 100, 1024, 3000}, sizes});

// The stride is in items; -1 reads them backwards.
void Gather(benchmark::State& state) {
  const std::size_t item = size_arg(state, 0);
  const std::ptrdiff_t stride = state.range(1);
  const std::size_t bytes = size_arg(state, 2);
  const std::size_t count = bytes / item;
  const std::vector<std::byte> from = distinct_bytes(bytes * static_cast<std::size_t>(std::abs(stride)));
  const std::ptrdiff_t stride_bytes = stride * static_cast<std::ptrdiff_t>(item);
  const std::byte* first = stride < 0 ? from.data() + bytes - item : from.data();
  measure(state, bytes, [&](std::byte* to) { gather(to, first, stride_bytes, item, count); });
}
BENCHMARK(Gather)->ArgNames({"item", "stride", "bytes"})->ArgsProduct({item_sizes, {-1, 2, 8}, sizes});

}  // namespace
}  // namespace broadloom::bench
