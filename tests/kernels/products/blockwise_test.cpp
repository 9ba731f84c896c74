#include "kernels/products/blockwise.h"

#include <gtest/gtest.h>

#include "kernels/base/simd.h"
#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::blockwise_test {
namespace {

TEST(MultiplyBlockwise, EachWeightIsItsElementLessTheZeroPointOfItsBlockTimesItsScale) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) {
    const std::size_t bits = std::size_t{1} << random.between(1, 3);
    const std::size_t block = std::size_t{4} << random.below(7);
    const std::size_t rows = random.one_in(10) ? 70 : random.below(6) + 1;
    const std::size_t columns = random.below(40) + 1;
    const std::size_t sums = random.one_in(5) ? 250 + random.below(300) : random.below(50) + 1;
    const std::size_t blocks = (sums + block - 1) / block;
    const auto a = random_items<float>(random, rows * sums, -1, 1);
    const auto data = random_items<std::uint8_t>(random, columns * blocks * block * bits / 8, 0, 255);
    const auto scales = random_items<float>(random, columns * blocks, -1, 1);
    const auto zeros = random_items<float>(random, columns * blocks, 0, 255);
    const auto bias = random_items<float>(random, columns + tile_panels * panel_bytes / sizeof(float), -1, 1);
    const bool has_zeros = random.one_in(2);
    const bool has_bias = random.one_in(2);
    const BlockwiseWeights weights{
        address(data), bits, block, columns, sums, scales.data(), has_zeros ? zeros.data() : nullptr};
    ASSERT_EQ(weights.blocks(), blocks);
    std::vector<Vector> workspace(blockwise_workspace_bytes() / vector_bytes);
    std::vector<float> to(rows * columns);
    ASSERT_TRUE(succeeds(
        multiply_blockwise(address(to), address(a), rows, weights, has_bias ? address(bias) : nullptr, address(workspace))));
    std::vector<float> wanted(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        // Sums of 256 products each.
        for (std::size_t first = 0; first < sums; first += tile_depth) {
          float part = first == 0 && has_bias ? bias[j] : 0;
          for (std::size_t k = first; k < std::min(first + tile_depth, sums); ++k) {
            const std::size_t number = j * blocks + k / block;
            const std::size_t bit = (number * block + k % block) * bits;
            const auto element = static_cast<float>(data[bit / 8] >> bit % 8 & ((1 << bits) - 1));
            const float zero = has_zeros ? zeros[number] : static_cast<float>(1 << (bits - 1));
            part += a[i * sums + k] * ((element - zero) * scales[number]);
          }
          wanted[i * columns + j] = first == 0 ? part : wanted[i * columns + j] + part;
        }
      }
    }
    ASSERT_TRUE(have_same_bits(to, wanted))
        << bits << " bits, blocks of " << block << ", " << rows << " rows of " << sums << ", " << columns << " columns";
  }
}

}  // namespace
}  // namespace broadloom::test::blockwise_test
