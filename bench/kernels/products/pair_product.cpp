// Layers of quantised transformers: as those of Tiles, with weights of a quarter of the bytes.
#include "kernels/products/pair_product.h"

#include <algorithm>

#include "../measure.h"

namespace broadloom::bench {
namespace {

void PairProducts(benchmark::State& state) {
  const PairProduct product{size_arg(state, 0), size_arg(state, 2), size_arg(state, 1)};
  const auto row = static_cast<std::ptrdiff_t>(product.sums);
  const std::vector<std::byte> a = distinct_bytes(product.rows * product.sums);
  const std::vector<std::byte> b = distinct_bytes(product.columns * product.sums);
  std::vector<std::byte> packed(in_memory(product.packed_bytes()));
  product.pack(packed.data(), {b.data(), row, 1}, Dtype::int8);
  std::vector<std::byte> workspace(in_memory(product.workspace_bytes()));
  const std::vector<std::int32_t> zeros(product.rows, 128);
  measure(state, product.rows * product.columns * sizeof(std::int32_t), [&](std::byte* to) {
    for (std::size_t done = 0; done < product.rows; done += product.block_rows()) {
      product.run(to + done * product.columns * sizeof(std::int32_t), {a.data() + times(done, row), row, 1}, Dtype::uint8,
                  packed.data(), {zeros.data(), nullptr}, std::min(product.block_rows(), product.rows - done),
                  workspace.data());
    }
  });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(product.rows * product.columns * product.sums));
}
BENCHMARK(PairProducts)->ArgNames({"rows", "sums", "columns"})->ArgsProduct({{1, 4, 128}, {768}, {768, 3072}});

}  // namespace
}  // namespace broadloom::bench
