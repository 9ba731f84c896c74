#include "kernels/base/loop.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/items.h"

namespace broadloom::test::loop_test {
namespace {

// The sums of bytes as words. It takes 16 at a time.
void add_bytes(std::byte* to, const std::byte* const* from, std::size_t count) {
  ASSERT_EQ(count, 16U) << "the end is a whole step";
  for (std::size_t i = 0; i < count; ++i) {
    const auto sum = static_cast<std::uint16_t>(std::to_integer<int>(from[0][i]) + std::to_integer<int>(from[1][i]));
    std::memcpy(to + 2 * i, &sum, 2);
  }
}

TEST(Finish, TheLastElementsGoThroughTheLoopAsAWholeStep) {
  Random random;
  for (std::size_t done : {0U, 16U}) {
    for (std::size_t rest = 0; rest < 16; ++rest) {
      const std::size_t count = done + rest;
      const auto a = random_items<std::uint8_t>(random, count, 0, 255);
      const auto b = random_items<std::uint8_t>(random, count, 0, 255);
      const std::byte* const from[] = {address(a), address(b)};
      Guarded to(2 * count, 3);
      const std::vector<std::byte> before = to.written();
      finish(add_bytes, {2, 1, 2, 16}, to.data(), from, done, count);
      ASSERT_TRUE(to.intact());
      for (std::size_t i = 0; i < count; ++i) {
        std::uint16_t word = 0;
        std::memcpy(&word, to.data() + 2 * i, 2);
        if (i < done) {
          ASSERT_EQ(to.written()[2 * i], before[2 * i]) << "what is done is not written";
        } else {
          ASSERT_EQ(word, a[i] + b[i]) << i << " of " << count;
        }
      }
    }
  }
}

struct Difference {
  static Lanes<float> of(const Lanes<float>& a, const Lanes<float>& b) { return a - b; }
  static Lanes<float> of(const Lanes<float>& a) { return -a; }
};

TEST(Loop, UnaryAndBinaryLoopsWriteEveryCountAlsoOverTheFirstOperand) {
  Random random;
  for (std::size_t count = 0; count < 40; ++count) {
    const auto a = random_items<float>(random, count, -1, 1);
    const auto b = random_items<float>(random, count, -1, 1);
    std::vector<float> one = a;
    std::vector<float> two = a;
    std::vector<float> four(count);
    const std::byte* const first[] = {address(one)};
    const std::byte* const both[] = {address(two), address(b)};
    unary<float, Difference>(address(one), first, count);
    const std::byte* const apart[] = {address(a), address(b)};
    binary<float, Difference, 4>(address(four), apart, count);
    binary<float, Difference>(address(two), both, count);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(one[i], -a[i]);
      ASSERT_EQ(two[i], a[i] - b[i]);
      ASSERT_EQ(four[i], a[i] - b[i]);
    }
  }
}

}  // namespace
}  // namespace broadloom::test::loop_test
