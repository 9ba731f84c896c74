#include "kernels/convolution/winograd.h"

#include <gtest/gtest.h>

#include <cstring>

#include "support/cases.h"
#include "support/convolutions.h"
#include "support/expect.h"
#include "support/scaled_bytes.h"

namespace broadloom::test::winograd_test {
namespace {

SlidingAxis axis_of(Random& random, std::int64_t kernel) {
  SlidingAxis axis;
  axis.kernel = kernel;
  axis.size = random.between(kernel, 12);
  axis.begin = random.between(0, kernel - 1);
  axis.places = axis.size + axis.begin + random.between(0, kernel - 1) - kernel + 1;
  return axis;
}

void expect_plain_results(Random& random, const ConvolutionDims& dims) {
  const PlainConvolution plain(random, dims);
  const Filters filters = plain.filters_at(plain.filters, Dtype::float32);
  const WinogradConvolution convolution(dims, plain.layout);
  std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
  convolution.pack(address(packed), filters);
  std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
  const bool has_bias = random.one_in(2);
  const auto wanted = plain.results<float>(has_bias, [](float x, float w, std::size_t /*filter*/) { return x * w; });
  std::vector<float> to(wanted.size());
  ASSERT_TRUE(succeeds(convolution.run(address(to), address(plain.images), address(packed),
                                       has_bias ? address(plain.bias) : nullptr, 4, address(workspace), nullptr)));
  ASSERT_EQ(to, wanted) << dims.channels << " channels, " << dims.filters << " filters";
  // A plan for other dims finds them packed.
  const Convolution otherwise(Dtype::float32, dims, plain.layout);
  ASSERT_EQ(in_memory(convolution.packed_bytes()), in_memory(otherwise.packed_bytes()));
  std::vector<Vector> same = workspace_of(otherwise.packed_bytes());
  otherwise.pack(address(same), filters);
  ASSERT_EQ(std::memcmp(address(packed), address(same), in_memory(otherwise.packed_bytes())), 0);
}

// Filters in bytes give the bits of those in float32, and have one packed form for both ways.
void expect_bits_of_floats(Random& random, const ConvolutionDims& dims) {
  const PlainConvolution plain(random, dims);
  const ScaledBytes source(random, dims.filters, dims.channels * taps_of(dims.axes.values()));
  const std::vector<float> floats = source.floats();
  const auto results = [&](const Filters& filters, std::vector<Vector>& packed) {
    const WinogradConvolution convolution(dims, plain.layout, filters.scales != nullptr);
    packed = workspace_of(convolution.packed_bytes());
    convolution.pack(address(packed), filters);
    std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
    std::vector<float> to(dims.batch * places_of(dims.axes.values()) * dims.filters);
    must(convolution.run(address(to), address(plain.images), address(packed), address(plain.bias), 4, address(workspace),
                         nullptr));
    return to;
  };
  std::vector<Vector> packed;
  const auto wanted = results(plain.filters_at(floats, Dtype::float32), packed);
  Filters filters = plain.filters_at(source.bytes, source.dtype);
  const ByteScales scales = source.scales();
  filters.scales = &scales;
  ASSERT_TRUE(have_same_bits(results(filters, packed), wanted)) << dims.channels << " channels, " << dims.filters;
  const Convolution otherwise(Dtype::float32, dims, plain.layout, true);
  std::vector<Vector> same = workspace_of(otherwise.packed_bytes());
  ASSERT_EQ(packed.size(), same.size());
  otherwise.pack(address(same), filters);
  ASSERT_EQ(std::memcmp(address(packed), address(same), in_memory(otherwise.packed_bytes())), 0);
}

ConvolutionDims random_dims(Random& random) {
  ConvolutionDims dims{
      .batch = random.below(2) + 1, .groups = 1, .channels = 4 * (random.below(5) + 1), .filters = 4 * (random.below(5) + 1)};
  // 3x3, 3x1, 1x3 and 3.
  const std::size_t form = random.below(4);
  if (form < 3) dims.axes = {axis_of(random, form == 2 ? 1 : 3), axis_of(random, form == 1 ? 1 : 3)};
  if (form == 3) dims.axes = {axis_of(random, 3)};
  return dims;
}

TEST(WinogradConvolution, SumsOfIntegersAreThoseOfThePlainConvolution) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) expect_plain_results(random, random_dims(random));
}

TEST(WinogradConvolution, FiltersInBytesGiveTheBitsOfThoseInFloat32) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) expect_bits_of_floats(random, random_dims(random));
}

TEST(WinogradConvolution, FiltersThatTakeMuchMemoryAreTransformedPartByPart) {
  Random random;
  SlidingAxis three{.size = 3, .kernel = 3, .begin = 1, .places = 3};
  expect_plain_results(random, {.channels = 264, .filters = 268, .axes = {three, three}});
  expect_bits_of_floats(random, {.channels = 264, .filters = 268, .axes = {three, three}});
}

TEST(WinogradConvolution, SuitsManyChannelsOfFloat32WithThreeTaps) {
  const SlidingAxis three{.size = 56, .kernel = 3, .begin = 1, .places = 56};
  ConvolutionDims dims{.channels = 64, .filters = 64, .axes = {three, three}};
  EXPECT_TRUE(WinogradConvolution::suits(Dtype::float32, dims));
  EXPECT_FALSE(WinogradConvolution::suits(Dtype::float64, dims));
  dims.axes[0].stride = 2;
  EXPECT_FALSE(WinogradConvolution::suits(Dtype::float32, dims));
  dims.axes[0] = {.size = 56, .kernel = 5, .begin = 2, .places = 56};
  EXPECT_FALSE(WinogradConvolution::suits(Dtype::float32, dims));
  dims.axes[0] = three;
  dims.channels = 3;
  EXPECT_FALSE(WinogradConvolution::suits(Dtype::float32, dims));
}

}  // namespace
}  // namespace broadloom::test::winograd_test
