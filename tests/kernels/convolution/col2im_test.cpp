#include "kernels/convolution/col2im.h"

#include <gtest/gtest.h>

#include <complex>

#include "support/cases.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test::col2im_test {
namespace {

template <class T, class Add>
void expect_added(Random& random, Dtype dtype, const std::vector<T>& numbers, Add add) {
  for (int round = 0; round < cases() / 10; ++round) {
    const SlidingAxes axes = random_axes(random, 1 + random.below(3), {7, 3, 2});
    std::vector<BlockAxis> blocks;
    for (const SlidingAxis& axis : axes)
      blocks.push_back({axis.size, axis.kernel, axis.dilation, axis.stride, axis.begin, axis.places});
    const std::size_t places = places_of(axes.values());
    const std::size_t taps = taps_of(axes.values());
    std::vector<T> image(elements_of(axes.values()));
    std::vector<T> columns(taps * places);
    for (T& item : image) item = numbers[random.below(numbers.size())];
    for (T& item : columns) item = numbers[random.below(numbers.size())];
    std::vector<T> wanted = image;
    for (std::size_t tap = 0; tap < taps; ++tap) {
      for (std::size_t place = 0; place < places; ++place) {
        const std::int64_t element = element_at(axes.values(), place, tap);
        if (element < 0) continue;
        T& sum = wanted[static_cast<std::size_t>(element)];
        sum = add(sum, columns[tap * places + place]);
      }
    }
    const std::byte* const end = add_columns(address(image), address(columns), blocks, dtype);
    ASSERT_EQ(end, address(columns) + columns.size() * sizeof(T));
    ASSERT_EQ(image, wanted) << info(dtype).name;
  }
}

TEST(AddColumns, EachElementOfTheImageGetsTheElementsOfItsBlocksInOrder) {
  Random random;
  const auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
  expect_added(random, Dtype::float32, random_items<float>(random, 50, -1, 1), sum);
  expect_added(random, Dtype::float64, random_items<double>(random, 50, -1, 1), sum);
  expect_added(random, Dtype::uint8, random_items<std::uint8_t>(random, 50, 0, 255), sum);
  expect_added(random, Dtype::int16, random_items<std::uint16_t>(random, 50, 0, 65535), sum);
  expect_added(random, Dtype::uint32, random_items<std::uint32_t>(random, 50, 0, 0xFFFFFFFF), sum);
  expect_added(random, Dtype::int64, random_items<std::uint64_t>(random, 50, 0, 9e18), sum);
  expect_added(random, Dtype::boolean, std::vector<std::uint8_t>{0, 0, 0, 1},
               [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | b); });
  expect_added(random, Dtype::complex64, std::vector<std::complex<float>>{{1, 2}, {-3, 5}, {0, 7}}, sum);
}

}  // namespace
}  // namespace broadloom::test::col2im_test
