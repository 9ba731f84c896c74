// The depthwise layers of MobileNet: filters of 3x3 and 5x5.
#include "kernels/convolution/depthwise.h"

#include "../measure.h"
#include "kernels/convolution/sliding.h"

namespace broadloom::bench {
namespace {

void Depthwise(benchmark::State& state) {
  const std::int64_t side = state.range(0);
  const std::size_t channels = size_arg(state, 1);
  const std::int64_t kernel = state.range(2);
  SlidingAxis axis{.size = side, .kernel = kernel, .begin = kernel / 2, .places = side};
  axis.pitch = static_cast<std::ptrdiff_t>(channels * sizeof(float));
  SlidingAxes axes{axis, axis};
  axes[0].pitch *= side;
  const WindowAddresses windows(axes);
  const std::vector<float> image(windows.places() * channels, 0.5F);
  const std::vector<float> filters(windows.taps() * channels, 0.5F);
  const std::vector<float> zeros(channels);
  const auto bytes = [](const std::vector<float>& floats) { return reinterpret_cast<const std::byte*>(floats.data()); };
  std::vector<const std::byte*> at(windows.taps() * windows.places());
  windows.write(at.data(), windows.places(), 0, windows.places(), bytes(image), bytes(zeros));
  const DepthwiseBlock block{at.data(), windows.places(), windows.places(), windows.taps(),
                             channels,  bytes(filters),   bytes(zeros)};
  const WriteDepthwise write = write_depthwise_of(Dtype::float32);
  measure(state, image.size() * sizeof(float), [&](std::byte* to) { write(to, block); });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(windows.places() * windows.taps() * channels));
}
BENCHMARK(Depthwise)
    ->ArgNames({"side", "channels", "kernel"})
    ->Args({112, 32, 3})
    ->Args({56, 144, 3})
    ->Args({14, 576, 3})
    ->Args({7, 960, 5});

}  // namespace
}  // namespace broadloom::bench
