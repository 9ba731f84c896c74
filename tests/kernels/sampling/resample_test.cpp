#include "kernels/sampling/resample.h"

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "support/canaries.h"
#include "support/expect.h"

namespace broadloom::test::resample_test {
namespace {

// Three outputs of four inputs: each the sum of an element and an eighth of the next one.
template <class T>
void expect_sums() {
  constexpr Window windows[] = {{0, 0, 2}, {1, 0, 2}, {2, 0, 2}};
  constexpr T weights[] = {1, 0.125, 1, 0.125, 1, 0.125};
  const Windows axis{4, 3, 2, windows, reinterpret_cast<const std::byte*>(weights)};
  for (const std::size_t outer : {1U, 3U}) {
    for (std::size_t inner = 1; inner <= 37; ++inner) {
      std::vector<T> from(outer * 4 * inner);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i * 7 % 64);
      Guarded to(outer * 3 * inner * sizeof(T), 0);
      must(resample(to.data(), reinterpret_cast<const std::byte*>(from.data()), axis, outer, inner, std::is_same_v<T, double>));
      ASSERT_TRUE(to.intact()) << inner;
      for (std::size_t at = 0; at < outer * 3 * inner; ++at) {
        const std::size_t i = at % inner;
        const std::size_t row = at / inner / 3 * 4 + at / inner % 3;
        T is;
        std::memcpy(&is, to.data() + at * sizeof is, sizeof is);
        ASSERT_EQ(is, from[row * inner + i] + from[(row + 1) * inner + i] * T{0.125}) << at << " of rows of " << inner;
      }
    }
  }
}

TEST(Resample, WritesTheSumsOfRowsOfAnyLengthAndNothingElse) {
  expect_sums<float>();
  expect_sums<double>();
}

}  // namespace
}  // namespace broadloom::test::resample_test
