#include "kernels/sampling/choose.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/cases.h"
#include "support/expect.h"
#include "support/random.h"

namespace broadloom::test::choose_test {
namespace {

using Bytes = std::vector<std::byte>;

TEST(Choose, EachIndexOfAnAxisGetsTheBlockAtItsOffset) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t rank = 1 + random.below(3);
    const std::size_t item = random.one_in(2) ? item_sizes[random.below(5)] : random.below(40) + 1;
    std::vector<std::vector<std::ptrdiff_t>> offsets(rank);
    std::vector<ChosenAxis> axes(rank);
    std::size_t block = item;
    std::size_t from_block = item;
    for (std::size_t i = rank; i-- > 0;) {
      const std::size_t from = random.below(6) + 1;
      const std::size_t times = i + 1 == rank && random.one_in(2) ? random.below(5) + 1 : 0;
      const std::size_t count = times > 0 ? from * times : random.below(9) + 1;
      for (std::size_t k = 0; k < count; ++k)
        offsets[i].push_back(static_cast<std::ptrdiff_t>((times > 0 ? k / times : random.below(from)) * from_block));
      axes[i] = {offsets[i], block, times};
      block *= count;
      from_block *= from;
    }
    const Bytes from = distinct_bytes(from_block);
    Guarded to(block, random.below(16));
    ASSERT_TRUE(succeeds(choose(to.data(), from.data(), axes)));
    Bytes wanted(block);
    for (std::size_t i = 0; i < block; ++i) {
      std::size_t at = i % item;
      for (const ChosenAxis& axis : axes) at += static_cast<std::size_t>(axis.offsets[i / axis.block % axis.offsets.size()]);
      wanted[i] = from[at];
    }
    ASSERT_EQ(to.written(), wanted) << rank << " axes, items of " << item;
    ASSERT_TRUE(to.intact());
  }
}

}  // namespace
}  // namespace broadloom::test::choose_test
