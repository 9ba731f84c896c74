#include "kernels/products/block_dequantize.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::block_dequantize_test {
namespace {

TEST(BlockQuantised, AnyRunOfElementsGetsTheScalesAndZeroPointsOfItsBlocks) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t bits = std::size_t{1} << random.below(4);
    const std::size_t before = random.below(4) + 1;
    const std::size_t length = random.below(12) + 1;
    const std::size_t behind = random.one_in(2) ? 1 : random.below(5) + 1;
    const std::size_t block = random.below(length) + 1;
    const std::size_t blocks = (length + block - 1) / block;
    const std::size_t count = before * length * behind;
    const auto data = random_items<std::uint8_t>(random, (count * bits + 7) / 8, 0, 255);
    const auto numbers = random_items<float>(random, std::size_t{1} << bits, -8, 8);
    const auto scales = random_items<float>(random, before * blocks * behind, -1, 1);
    const auto zeros = random_items<float>(random, before * blocks * behind, -8, 8);
    const bool has_zeros = random.one_in(2);
    const BlockQuantised from{address(data), bits,   numbers.data(), scales.data(), has_zeros ? zeros.data() : nullptr, 3,
                              length,        behind, block};
    const std::size_t first = random.below(count + 1);
    std::vector<float> to(random.below(count - first + 1));
    from.write(to.data(), first, to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t number = first + i;
      const std::size_t parameter =
          (number / behind / length * blocks + number / behind % length / block) * behind + number % behind;
      const int code = data[number * bits / 8] >> number * bits % 8 & ((1 << bits) - 1);
      const float zero = has_zeros ? zeros[parameter] : 3;
      ASSERT_EQ(to[i], (numbers[static_cast<std::size_t>(code)] - zero) * scales[parameter])
          << "element " << number << " of [" << before << ", " << length << ", " << behind << "], blocks of " << block;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::block_dequantize_test
