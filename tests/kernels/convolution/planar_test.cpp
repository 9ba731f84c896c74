#include "kernels/convolution/planar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/cases.h"
#include "support/convolutions.h"
#include "support/expect.h"

namespace broadloom::test::planar_test {
namespace {

constexpr Dtype type = Dtype::float32;

ConvolutionDims random_dims(Random& random) {
  ConvolutionDims dims{.batch = random.below(2) + 1};
  do {
    const std::size_t results = random.below(4) + 1;
    dims.groups = random.one_in(3) ? results : 1;
    dims.filters = results / dims.groups;
    dims.channels = random.one_in(3) ? 1 : random.one_in(8) ? random.below(300) + 1 : random.below(7) + 1;
    dims.axes = random_axes(random, 1 + random.below(2), {random.one_in(3) ? 80 : 20, 4, 3});
  } while (!PlanarConvolution::suits(type, dims));
  return dims;
}

template <class Kernel>
std::vector<float> results_of(const Kernel& convolution, const PlainConvolution& plain, bool has_bias) {
  std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
  convolution.pack(address(packed), plain.filters_at(plain.filters, type));
  std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
  // A kernel must not read the workspace before it writes it.
  std::memset(address(workspace), 0xFF, workspace.size() * sizeof(Vector));
  std::vector<float> to(plain.dims.batch * places_of(plain.dims.axes.values()) * plain.dims.results());
  EXPECT_TRUE(succeeds(convolution.run(address(to), address(plain.images), address(packed),
                                       has_bias ? address(plain.bias) : nullptr, 4, address(workspace), nullptr)));
  return to;
}

std::vector<float> by_channel(const std::vector<float>& results, const ConvolutionDims& dims) {
  return test::by_channel(results, dims.batch, places_of(dims.axes.values()));
}

TEST(PlanarConvolution, ResultsAreTheBiasAndTheProductsOfAllTapsAndChannels) {
  Random random;
  for (int round = 0; round < cases() / 8; ++round) {
    const PlainConvolution plain(random, random_dims(random));
    const bool has_bias = random.one_in(2);
    const auto wanted = plain.results<float>(has_bias, [](float x, float w, std::size_t /*filter*/) { return x * w; });
    ASSERT_EQ(results_of(PlanarConvolution(plain.dims, plain.layout), plain, has_bias), by_channel(wanted, plain.dims))
        << plain.dims.groups << " groups of " << plain.dims.channels << " channels and " << plain.dims.filters << " filters";
  }
}

// Fractions, signed zeros and infinities: another order of sums, or padding that is left out, would have other bits.
TEST(PlanarConvolution, ResultsHaveTheBitsOfTheOtherConvolution) {
  Random random;
  for (int round = 0; round < cases() / 8; ++round) {
    PlainConvolution plain(random, random_dims(random));
    for (std::vector<float>* numbers : {&plain.images, &plain.filters, &plain.bias}) {
      for (float& number : *numbers) number = number == 0 ? -0.0F : number / 7;
    }
    if (random.one_in(4)) plain.filters[random.below(plain.filters.size())] = std::numeric_limits<float>::infinity();
    const bool has_bias = random.one_in(2);
    const auto found = results_of(PlanarConvolution(plain.dims, plain.layout), plain, has_bias);
    const auto wanted = by_channel(results_of(Convolution(type, plain.dims, plain.layout), plain, has_bias), plain.dims);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool are_nan = std::isnan(found[i]) && std::isnan(wanted[i]);
      ASSERT_TRUE(are_nan || std::memcmp(&found[i], &wanted[i], sizeof(float)) == 0)
          << plain.dims.groups << " groups of " << plain.dims.channels << " channels and " << plain.dims.filters
          << " filters, element " << i << ": " << found[i] << ", wanted " << wanted[i];
    }
  }
}

TEST(PlanarConvolution, SuitsFewResultsOfFloat32OnOneOrTwoAxes) {
  const SlidingAxis three{.size = 56, .kernel = 3, .begin = 1, .places = 56};
  ConvolutionDims dims{.channels = 64, .filters = 4, .axes = {three, three}};
  EXPECT_TRUE(PlanarConvolution::suits(type, dims));
  EXPECT_FALSE(PlanarConvolution::suits(Dtype::float64, dims));
  dims.groups = 2;
  EXPECT_FALSE(PlanarConvolution::suits(type, dims));
  dims = {.channels = 64, .filters = 1, .axes = {three, three, three}};
  EXPECT_FALSE(PlanarConvolution::suits(type, dims));
  // Most of a tile would be computed for nothing.
  EXPECT_FALSE(PlanarConvolution::suits(type, {.channels = 64, .filters = 1, .axes = {{.size = 8, .places = 8}}}));
  // Few windows may need any number of zeros.
  dims.axes = {three, {.size = 56, .kernel = 3, .begin = 1025, .places = 1080}};
  EXPECT_FALSE(PlanarConvolution::suits(type, dims));
}

}  // namespace
}  // namespace broadloom::test::planar_test
