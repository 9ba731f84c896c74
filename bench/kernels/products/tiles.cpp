// Layers of transformers: 768 to 768 and to 3072, with rows of one word and of many. The larger weights have 9 MiB.
#include "kernels/products/tiles.h"

#include <algorithm>

#include "../measure.h"
#include "kernels/products/panels.h"

namespace broadloom::bench {
namespace {

void Tiles(benchmark::State& state) {
  const std::size_t rows = size_arg(state, 0);
  const std::size_t sums = size_arg(state, 1);
  const std::size_t columns = size_arg(state, 2);
  constexpr auto step = static_cast<std::ptrdiff_t>(panel_bytes);
  const std::vector<float> a(rows * sums, 0.5F);
  const std::vector<float> b(ItemTypes(Dtype::float32).panels(columns) * sums * panel_bytes / sizeof(float), 0.5F);
  std::vector<const std::byte*> at;
  for (std::size_t i = 0; i < rows; ++i) at.push_back(reinterpret_cast<const std::byte*>(a.data() + i * sums));
  const auto* const panels = reinterpret_cast<const std::byte*>(b.data());
  const WriteBlock write = write_block_of(Dtype::float32);
  measure(state, rows * columns * sizeof(float), [&](std::byte* to) {
    for (std::size_t done = 0; done < sums; done += tile_depth) {
      const Rows some{at.data(), rows, 1, 0, static_cast<std::ptrdiff_t>(done * sizeof(float))};
      write({to, columns * sizeof(float), done > 0}, some, {panels + times(done, step), times(sums, step), step, columns},
            std::min(tile_depth, sums - done));
    }
  });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows * columns * sums));
}
BENCHMARK(Tiles)->ArgNames({"rows", "sums", "columns"})->ArgsProduct({{1, 2, 4, 128}, {768}, {768, 3072}});

}  // namespace
}  // namespace broadloom::bench
