#include "kernels/products/rescale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::rescale_test {
namespace {

template <class T>
void expect_rounded(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const std::size_t rows = random.below(4);
    const std::size_t columns = random.below(20) + 1;
    const auto sums = random_items<std::int32_t>(random, rows * columns, -2000, 2000);
    auto scales = random_items<float>(random, columns, 0, 0.2);
    for (float& scale : scales) {
      if (random.one_in(2)) scale = 0.125F;  // so that there are ties
    }
    constexpr std::int64_t least = std::numeric_limits<T>::min();
    const auto zero = static_cast<float>(random.between(least, least + 255));
    std::vector<T> to(rows * columns);
    Rescaling{dtype, scales.data(), nullptr, zero}.run(address(to), address(sums), rows, columns);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const float scaled = static_cast<float>(sums[i]) * scales[i % columns];
      const double wanted = std::nearbyint(static_cast<double>(scaled)) + static_cast<double>(zero);
      ASSERT_EQ(to[i], std::min(std::max(wanted, static_cast<double>(least)), static_cast<double>(least + 255)))
          << sums[i] << " times " << scales[i % columns] << ", zero point " << zero;
    }
  }
}

TEST(Rescaling, SumsAreScaledByColumnRoundedWithTiesToEvenAndClamped) {
  expect_rounded<std::uint8_t>(Dtype::uint8);
  expect_rounded<std::int8_t>(Dtype::int8);
}

TEST(Rescaling, NumbersBeyondTheTypeBecomeItsBoundsWhateverTheZeroPoint) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::vector<std::int32_t> sums{1, -1, 0, std::numeric_limits<std::int32_t>::max(), 1};
  const std::vector<float> scales{infinity, infinity, infinity, 1, -1e30F};
  std::vector<std::uint8_t> to(5);
  Rescaling{Dtype::uint8, scales.data(), nullptr, 9}.run(address(to), address(sums), 1, 5);
  EXPECT_EQ(to, (std::vector<std::uint8_t>{255, 0, 0, 255, 0}));  // 0 times infinity is NaN, which becomes the least
}

TEST(Rescaling, FloatsAreTheScaledSumsAndTheBiasOfTheirColumn) {
  Random random;
  for (std::size_t columns = 1; columns < 20; ++columns) {
    for (const bool has_bias : {false, true}) {
      const auto sums = random_items<std::int32_t>(random, 3 * columns, -100000, 100000);
      const auto scales = random_items<float>(random, columns, -1, 1);
      const auto bias = random_items<float>(random, (columns + 3) / 4 * 4, -1, 1);
      std::vector<float> to(3 * columns);
      Rescaling{Dtype::float32, scales.data(), has_bias ? bias.data() : nullptr}.run(address(to), address(sums), 3, columns);
      for (std::size_t i = 0; i < to.size(); ++i) {
        const float scaled = static_cast<float>(sums[i]) * scales[i % columns];
        ASSERT_EQ(to[i], has_bias ? scaled + bias[i % columns] : scaled) << i << " of 3 rows of " << columns;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::rescale_test
