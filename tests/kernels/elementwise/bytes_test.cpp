#include "kernels/elementwise/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::bytes_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(ReplaceBytes, EachByteIsLookedUpAlsoInPlace) {
  Random random;
  const Bytes table = random_items<std::uint8_t>(random, 256, 0, 255);
  Bytes bytes = random_items<std::uint8_t>(random, 300, 0, 255);
  Bytes wanted;
  for (const std::uint8_t byte : bytes) wanted.push_back(table[byte]);
  replace_bytes(address(bytes), address(bytes), address(table), bytes.size());
  EXPECT_EQ(bytes, wanted);
}

TEST(CombineBytes, SumsAndProductsOfQuantisedElementsAreRoundedToEvenAndClamped) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const BytePair how{random.one_in(2),
                       random.one_in(2),
                       {static_cast<float>(random.between(1, 8)) / 8, static_cast<float>(random.between(1, 8)) / 8},
                       {static_cast<float>(random.between(0, 100)), static_cast<float>(random.between(0, 100)),
                        static_cast<float>(random.between(0, 100))}};
    const std::size_t count = random.below(70) + 1;
    const Bytes a = random_items<std::uint8_t>(random, count, 0, 255);
    const Bytes b = random_items<std::uint8_t>(random, count, 0, 255);
    Bytes to(count);
    combine_bytes(address(to), address(a), address(b), count, how);
    const auto number = [&](std::uint8_t byte) {
      return how.is_signed ? static_cast<float>(static_cast<std::int8_t>(byte)) : static_cast<float>(byte);
    };
    for (std::size_t i = 0; i < count; ++i) {
      // With scales of few digits each step is exact.
      const float x = number(a[i]) - how.zeros[0];
      const float y = number(b[i]) - how.zeros[1];
      const float result = how.is_product ? x * y * how.scales[0] : x * how.scales[0] + y * how.scales[1];
      const float least = how.is_signed ? -128 : 0;
      ASSERT_EQ(number(to[i]), std::clamp(std::nearbyint(result) + how.zeros[2], least, least + 255)) << result;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::bytes_test
