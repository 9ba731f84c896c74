#include "kernels/convolution/reduce_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/base/simd.h"
#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::reduce_windows_test {
namespace {

template <class T>
T greater(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
  }
  return std::max(a, b);
}

template <class T>
std::vector<T> random_elements(Random& random, std::size_t count) {
  auto items = random_items<T>(random, count, std::is_unsigned_v<T> ? 0 : -100, 100);
  if constexpr (std::is_floating_point_v<T>) {
    if (random.one_in(5)) items[random.below(count)] = std::numeric_limits<T>::quiet_NaN();
  }
  return items;
}

template <class T>
void expect_equal(T found, T wanted) {
  ASSERT_TRUE(found == wanted || (found != found && wanted != wanted)) << +found << ", wanted " << +wanted;
}

template <class T>
void expect_reduced(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 4; ++round) {
    const std::size_t windows = random.below(9) + 1;
    const std::size_t taps = random.below(9) + 1;
    const std::size_t channels = random.below(50) + 1;
    const std::size_t distance = windows + random.below(3);
    const auto image = random_elements<T>(random, 12 * channels);
    std::vector<std::size_t> pixel(taps * distance);
    std::vector<const std::byte*> at;
    for (std::size_t& number : pixel) {
      number = random.below(12);
      at.push_back(address(image) + number * channels * sizeof(T));
    }
    const WindowBlock block{at.data(), distance, windows, taps, channels};
    std::vector<T> most(windows * channels);
    std::vector<T> sums(windows * channels);
    maximum_of_windows(dtype)(address(most), block);
    if constexpr (std::is_floating_point_v<T>) sum_of_windows(dtype)(address(sums), block);
    for (std::size_t i = 0; i < most.size(); ++i) {
      const auto element = [&](std::size_t tap) {
        return image[pixel[tap * distance + i / channels] * channels + i % channels];
      };
      T wanted = element(0);
      T sum = element(0);
      for (std::size_t tap = 1; tap < taps; ++tap) {
        wanted = greater(wanted, element(tap));
        sum = static_cast<T>(sum + element(tap));
      }
      expect_equal(most[i], wanted);
      if constexpr (std::is_floating_point_v<T>) expect_equal(sums[i], sum);
    }

    const std::size_t count = random.below(40) + lanes_of<T>;
    const std::size_t kernel = random.below(5) + 1;
    const std::size_t dilation = random.below(3) + 1;
    const std::size_t stride = random.below(4) + 1;
    const std::size_t length = (count - 1) * stride + (kernel - 1) * dilation + 1 + 2 * lanes_of<T>;
    std::vector<std::vector<T>> rows;
    std::vector<const std::byte*> row_at;
    for (std::size_t i = 0; i < 3; ++i) rows.push_back(random_elements<T>(random, length));
    for (const std::vector<T>& row : rows) row_at.push_back(address(row));
    std::vector<T> along(count);
    ASSERT_TRUE(succeeds(maximum_along_row(dtype, address(along), row_at[0], count, kernel, dilation, stride)));
    std::vector<T> summed(count, T{77});
    const std::size_t first = random.below(count - lanes_of<T> + 1);
    if constexpr (std::is_floating_point_v<T>)
      sum_along_rows(dtype)(address(summed), {row_at.data(), 3, kernel, dilation, stride}, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      T wanted = rows[0][i * stride];
      for (std::size_t k = 1; k < kernel; ++k) wanted = greater(wanted, rows[0][i * stride + k * dilation]);
      expect_equal(along[i], wanted);
      if (!std::is_floating_point_v<T>) continue;
      T sum = 0;
      for (const std::vector<T>& row : rows) {
        for (std::size_t k = 0; k < kernel; ++k) sum = static_cast<T>(sum + row[i * stride + k * dilation]);
      }
      expect_equal(summed[i], i < first ? T{77} : sum);
    }
  }
}

TEST(ReduceWindows, MaximaAndSumsOfWindowsAreThoseOfTheirTapsInOrder) {
  expect_reduced<float>(Dtype::float32);
  expect_reduced<double>(Dtype::float64);
  expect_reduced<std::int8_t>(Dtype::int8);
  expect_reduced<std::uint8_t>(Dtype::uint8);
}

}  // namespace
}  // namespace broadloom::test::reduce_windows_test
