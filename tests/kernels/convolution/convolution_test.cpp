#include "kernels/convolution/convolution.h"

#include <gtest/gtest.h>

#include "kernels/elementwise/convert.h"
#include "support/cases.h"
#include "support/convolutions.h"
#include "support/expect.h"
#include "support/scaled_bytes.h"

namespace broadloom::test::convolution_test {
namespace {

using Bytes = std::vector<std::byte>;

ConvolutionDims random_dims(Random& random) {
  const bool is_depthwise = random.one_in(3);
  return {.batch = random.below(2) + 1,
          .groups = is_depthwise ? random.below(20) + 2 : random.below(3) + 1,
          .channels = is_depthwise        ? 1
                      : random.one_in(10) ? random.below(80) + 1
                                          : random.below(7) + 1,
          .filters = is_depthwise && random.one_in(2) ? 1 : random.below(12) + 1,
          .axes = random_axes(random, 1 + random.below(3), {7, 3, 2})};
}

Bytes converted(const std::vector<float>& numbers, Dtype dtype) {
  Bytes items(numbers.size() * item_size(dtype));
  convert(items.data(), dtype, address(numbers), Dtype::float32, numbers.size());
  return items;
}

TEST(Convolution, ResultsOfEveryFloatingPointTypeAreTheBiasAndTheProductsOfAllTapsAndChannels) {
  Random random;
  for (int round = 0; round < cases() / 8; ++round) {
    const PlainConvolution plain(random, random_dims(random));
    for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16}) {
      const Convolution convolution(dtype, plain.dims, plain.layout);
      const Bytes images = converted(plain.images, dtype);
      const Bytes filters = converted(plain.filters, dtype);
      const Bytes bias = converted(plain.bias, dtype);
      Filters from = plain.filters_at(plain.filters, dtype);
      const auto size = static_cast<std::ptrdiff_t>(item_size(dtype));
      from.data = filters.data();
      std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
      convolution.pack(address(packed), from);
      std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
      const bool has_bias = random.one_in(2);
      const auto wanted = plain.results<float>(has_bias, [](float x, float w, std::size_t /*filter*/) { return x * w; });
      Bytes to(wanted.size() * item_size(dtype));
      ASSERT_TRUE(succeeds(convolution.run(to.data(), images.data(), address(packed), has_bias ? bias.data() : nullptr, size,
                                           address(workspace))));
      ASSERT_TRUE(to == converted(wanted, dtype))
          << info(dtype).name << ", " << plain.dims.groups << " groups of " << plain.dims.channels << " channels and "
          << plain.dims.filters << " filters";
    }
  }
}

TEST(Convolution, PackedFiltersAreUnpackedAsTheyWere) {
  Random random;
  for (int round = 0; round < cases() / 8; ++round) {
    const PlainConvolution plain(random, random_dims(random));
    const ConvolutionDims& dims = plain.dims;
    if (dims.groups > 1 && dims.channels == 1) continue;
    for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16}) {
      const Convolution convolution(dtype, dims, plain.layout);
      const Bytes filters = converted(plain.filters, dtype);
      Filters from = plain.filters_at(plain.filters, dtype);
      from.data = filters.data();
      std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
      convolution.pack(address(packed), from);
      Bytes found(filters.size());
      const PackedFilters form{dtype, dims.groups, dims.filters, dims.channels, taps_of(dims.axes.values())};
      form.unpack(found.data(), address(packed));
      ASSERT_TRUE(found == filters) << info(dtype).name << ", " << dims.groups << " groups of " << dims.channels
                                    << " channels and " << dims.filters << " filters";
    }
  }
}

TEST(Convolution, FiltersInBytesGiveTheBitsOfThoseInFloat32AndAreUnpackedAsTheyWere) {
  Random random;
  for (int round = 0; round < cases() / 8; ++round) {
    const PlainConvolution plain(random, random_dims(random));
    const ConvolutionDims& dims = plain.dims;
    if (dims.groups > 1 && dims.channels == 1) continue;
    const ScaledBytes source(random, dims.results(), dims.channels * taps_of(dims.axes.values()));
    const std::vector<float> floats = source.floats();
    const auto results = [&](const Convolution& convolution, const Filters& filters, std::vector<Vector>& packed) {
      packed = workspace_of(convolution.packed_bytes());
      convolution.pack(address(packed), filters);
      std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
      std::vector<float> to(dims.batch * places_of(dims.axes.values()) * dims.results());
      must(convolution.run(address(to), address(plain.images), address(packed), address(plain.bias), 4, address(workspace)));
      return to;
    };
    std::vector<Vector> packed;
    const auto wanted =
        results(Convolution(Dtype::float32, dims, plain.layout), plain.filters_at(floats, Dtype::float32), packed);
    Filters filters = plain.filters_at(source.bytes, source.dtype);
    const ByteScales scales = source.scales();
    filters.scales = &scales;
    ASSERT_TRUE(have_same_bits(results(Convolution(Dtype::float32, dims, plain.layout, true), filters, packed), wanted))
        << dims.groups << " groups of " << dims.channels << " channels and " << dims.filters << " filters";
    std::vector<std::uint8_t> found(source.bytes.size());
    const PackedFilters form{source.dtype, dims.groups, dims.filters, dims.channels, taps_of(dims.axes.values())};
    form.unpack(address(found), address(packed));
    ASSERT_EQ(found, source.bytes);
  }
}

TEST(Convolution, SumsOfBytesLessTheirZeroPointsAreExactInInt32) {
  Random random;
  for (int round = 0; round < cases() / 4; ++round) {
    const PlainConvolution plain(random, random_dims(random));
    const Dtype image_type = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const Dtype filter_type = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    // Elements are from -8 to 8, and as bytes 20 more.
    std::vector<std::uint8_t> images, filters;
    for (const float x : plain.images) images.push_back(static_cast<std::uint8_t>(x + 20));
    for (const float w : plain.filters) filters.push_back(static_cast<std::uint8_t>(w + 20));
    const bool has_zeros = random.one_in(2);
    std::vector<std::int32_t> zeros(plain.dims.results());
    for (std::int32_t& zero : zeros)
      zero = has_zeros ? static_cast<std::int32_t>(random.between(0, 40)) - offset_of(filter_type) : 0;
    std::vector<std::int32_t> bias(plain.bias.begin(), plain.bias.end());
    const Quantisation quantisation{static_cast<int>(random.between(0, 40)), has_zeros ? zeros.data() : nullptr, nullptr};
    const auto wanted = plain.results<std::int32_t>(true, [&](float x, float w, std::size_t filter) {
      return (static_cast<std::int32_t>(x) + 20 - quantisation.image_zero) *
             (static_cast<std::int32_t>(w) + 20 - offset_of(filter_type) - zeros[filter]);
    });
    const Convolution convolution(image_type, plain.dims, plain.layout);
    std::vector<Vector> packed = workspace_of(convolution.packed_bytes());
    convolution.pack(address(packed), plain.filters_at(filters, filter_type));
    std::vector<Vector> workspace = workspace_of(convolution.workspace_bytes());
    std::vector<std::int32_t> to(wanted.size());
    ASSERT_TRUE(succeeds(convolution.run(address(to), address(images), address(packed), address(bias), 4, address(workspace),
                                         nullptr, quantisation)));
    ASSERT_EQ(to, wanted) << plain.dims.groups << " groups of " << plain.dims.channels << " channels and " << plain.dims.filters
                          << " filters";
  }
}

}  // namespace
}  // namespace broadloom::test::convolution_test
