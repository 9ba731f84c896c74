#include "kernels/convolution/transposed.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/convolutions.h"
#include "support/expect.h"

namespace broadloom::test::transposed_test {
namespace {

TEST(TransposedConvolution, EachElementOfAnImageAddsItsFiltersToTheResult) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t rank = random.one_in(2) ? 2 : 1 + random.below(3);
    TransposedAxes axes(rank);
    ConvolutionDims dims{.batch = random.below(2) + 1,
                         .groups = random.below(2) + 1,
                         .channels = random.below(6) + 1,
                         .filters = random.one_in(2) ? 1 : random.below(6) + 1,
                         .axes = SlidingAxes(rank)};
    const bool is_upsampling = random.one_in(3);  // each tap has a place of its own
    for (std::size_t i = 0; i < rank; ++i) {
      TransposedAxis& axis = axes[i];
      axis.size = random.between(1, i + 1 == rank && random.one_in(3) ? 60 : 6);
      axis.kernel = random.between(1, 4);
      axis.stride = is_upsampling ? axis.kernel : random.between(1, 4);
      axis.dilation = is_upsampling ? 1 : random.between(1, 2);
      const std::int64_t reach = (axis.size - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
      axis.begin = is_upsampling ? 0 : random.between(0, (reach - 1) / 2);
      const std::int64_t cut = random.one_in(3) ? random.between(0, axis.stride + 1) : 0;
      axis.places = is_upsampling ? std::max<std::int64_t>(reach - cut, 1)
                                  : std::max<std::int64_t>(reach - axis.begin + random.between(-1, 2), 1);
      dims.axes[i].size = axis.size;
      dims.axes[i].kernel = axis.kernel;
    }
    const PlainConvolution plain(random, dims);
    std::size_t places = 1;
    for (const TransposedAxis& axis : axes) places *= static_cast<std::size_t>(axis.places);
    const std::size_t taps = taps_of(dims.axes.values());
    const std::size_t elements = elements_of(dims.axes.values());
    const bool has_bias = random.one_in(2);
    std::vector<float> wanted(dims.batch * places * dims.results());
    for (std::size_t i = 0; has_bias && i < wanted.size(); ++i) wanted[i] = plain.bias[i % dims.results()];
    for (std::size_t number = 0; number < dims.batch * elements * taps; ++number) {
      const std::size_t tap = number % taps;
      const std::size_t element = number / taps % elements;
      const std::size_t image = number / taps / elements;
      std::size_t rest = element;
      std::size_t rest_of_taps = tap;
      std::int64_t place = 0;
      std::int64_t step = 1;
      bool is_inside = true;
      for (std::size_t i = rank; i-- > 0; step *= axes[i].places) {
        const auto size = static_cast<std::size_t>(axes[i].size);
        const auto kernel = static_cast<std::size_t>(axes[i].kernel);
        const std::int64_t at = static_cast<std::int64_t>(rest % size) * axes[i].stride - axes[i].begin +
                                static_cast<std::int64_t>(rest_of_taps % kernel) * axes[i].dilation;
        is_inside = is_inside && at >= 0 && at < axes[i].places;
        place += at * step;
        rest /= size;
        rest_of_taps /= kernel;
      }
      if (!is_inside) continue;
      for (std::size_t filter = 0; filter < dims.results(); ++filter) {
        for (std::size_t channel = 0; channel < dims.channels; ++channel) {
          const std::size_t from = filter / dims.filters * dims.channels + channel;
          wanted[(image * places + static_cast<std::size_t>(place)) * dims.results() + filter] +=
              plain.images[place_in(plain.layout, image, from, element)] *
              plain.filters[(filter * dims.channels + channel) * taps + tap];
        }
      }
    }
    const TransposedConvolution convolution = must(TransposedConvolution::make(Dtype::float32, dims, axes, plain.layout, true));
    std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
    ASSERT_TRUE(succeeds(convolution.pack(address(packed), plain.filters_at(plain.filters, Dtype::float32))));
    std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
    std::vector<float> to(wanted.size());
    const bool is_planar = TransposedConvolution::is_planar(Dtype::float32, dims, axes);
    if (is_planar) wanted = by_channel(wanted, dims.batch, places);
    ASSERT_TRUE(succeeds(convolution.run(address(to), address(plain.images), address(packed),
                                         has_bias ? address(plain.bias) : nullptr, 4, address(workspace))));
    ASSERT_EQ(to, wanted) << rank << " axes, " << dims.groups << " groups of " << dims.channels << " channels and "
                          << dims.filters << " filters" << (is_upsampling ? ", each tap apart" : "");
  }
}

}  // namespace
}  // namespace broadloom::test::transposed_test
