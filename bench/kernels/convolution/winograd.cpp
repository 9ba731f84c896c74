// The layers of ResNet with filters of 3x3. The transformed filters of the last one have 16 MiB.
#include "kernels/convolution/winograd.h"

#include "../measure.h"

namespace broadloom::bench {
namespace {

void Winograd(benchmark::State& state) {
  const std::int64_t side = state.range(0);
  const std::int64_t channels = state.range(1);
  const SlidingAxis axis{.size = side, .kernel = 3, .begin = 1, .places = side};
  const ConvolutionDims dims{.channels = size_arg(state, 1), .filters = size_arg(state, 1), .axes = SlidingAxes{axis, axis}};
  const Layout images{{1, channels, side, side}, {channels * side * side, 1, side * channels, channels}};
  const WinogradConvolution convolution(dims, images);
  const std::vector<float> image(static_cast<std::size_t>(channels * side * side), 0.5F);
  const std::vector<float> weights(static_cast<std::size_t>(channels * channels * 9), 0.5F);
  const auto* const filters = reinterpret_cast<const std::byte*>(weights.data());
  std::vector<std::byte> packed(in_memory(convolution.packed_bytes()));
  convolution.pack(packed.data(), {filters, 0, channels * 36, 36, {{3, 3}, {3, 1}}, Dtype::float32});
  std::vector<std::byte> workspace(in_memory(convolution.workspace_bytes()));
  measure(state, image.size() * sizeof(float), [&](std::byte* to) {
    const Status status = convolution.run(to, reinterpret_cast<const std::byte*>(image.data()), packed.data(), nullptr, 0,
                                          workspace.data(), nullptr);
    if (!status) state.SkipWithError("no memory");
  });
  state.SetItemsProcessed(state.iterations() * channels * channels * 9 * side * side);
}
BENCHMARK(Winograd)->ArgNames({"side", "channels"})->Args({56, 64})->Args({28, 128})->Args({14, 256})->Args({7, 512});

}  // namespace
}  // namespace broadloom::bench
