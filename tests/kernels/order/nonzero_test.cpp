#include "kernels/order/nonzero.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/items.h"

namespace broadloom::test::nonzero_test {
namespace {

TEST(FindNonzero, ItemsWithABitOfTheMaskAreFoundInEverySize) {
  Random random;
  for (const std::size_t size : item_sizes) {
    for (std::size_t count = 0; count < 40; ++count) {
      // One bit in most items, within the mask or outside of it.
      std::vector<std::uint8_t> items(count * size);
      std::vector<std::uint8_t> mask(16);
      for (std::uint8_t& bits : mask) bits = static_cast<std::uint8_t>(random.below(256));
      std::vector<std::size_t> wanted;
      for (std::size_t i = 0; i < count; ++i) {
        if (random.one_in(4)) continue;
        const std::size_t byte = random.below(size);
        const auto bit = static_cast<std::uint8_t>(1U << random.below(8));
        items[i * size + byte] = bit;
        if ((mask[byte] & bit) != 0) wanted.push_back(i);
      }
      ItemMask words{};
      std::memcpy(words.words, mask.data(), sizeof words.words);
      std::vector<std::size_t> numbers(count);
      numbers.resize(find_nonzero(numbers.data(), address(items), words, size, count));
      ASSERT_EQ(numbers, wanted) << count << " items of " << size;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::nonzero_test
