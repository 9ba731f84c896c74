#include "kernels/movement/pad.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/cases.h"
#include "support/expect.h"
#include "support/random.h"

namespace broadloom::test::pad_test {
namespace {

using Bytes = std::vector<std::byte>;

// The index of the input, or -1 for the border of a constant.
std::ptrdiff_t input_index(const PaddedAxis& axis, PadMode mode, std::size_t index) {
  const auto low = static_cast<std::ptrdiff_t>(axis.low);
  const auto last = static_cast<std::ptrdiff_t>(axis.high) - 1;
  auto i = static_cast<std::ptrdiff_t>(index);
  if (i < low || i > last) {
    switch (mode) {
      case PadMode::constant: return -1;
      case PadMode::edge: i = i < low ? low : last; break;
      case PadMode::reflect: i = i < low ? 2 * low - i : 2 * last - i; break;
      case PadMode::wrap:
        while (i < low) i += last - low + 1;
        while (i > last) i -= last - low + 1;
    }
  }
  return i - low + static_cast<std::ptrdiff_t>(axis.first);
}

void write_wanted(Bytes& to, const std::byte* from, std::span<const PaddedAxis> axes, PadMode mode, const Bytes& value,
                  std::size_t block) {
  if (axes.empty()) {
    for (std::size_t i = 0; i < block; ++i) to.push_back(from == nullptr ? value[i % value.size()] : from[i]);
    return;
  }
  for (std::size_t i = 0; i < axes.front().size; ++i) {
    const std::ptrdiff_t index = input_index(axes.front(), mode, i);
    const bool is_border = from == nullptr || index < 0;
    write_wanted(to, is_border ? nullptr : from + static_cast<std::size_t>(index) * axes.front().from_block, axes.subspan(1),
                 mode, value, block);
  }
}

TEST(Pad, BordersOfEveryModeAreAddedAndPartsAreRemoved) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const auto mode = static_cast<PadMode>(random.below(4));
    const std::size_t size = item_sizes[random.below(5)];
    std::vector<PaddedAxis> axes(1 + random.below(3));
    std::size_t block = size * (random.one_in(2) ? 1 : random.below(20) + 1);
    const std::size_t last_block = block;
    std::size_t from_block = block;
    for (std::size_t i = axes.size(); i-- > 0;) {
      const std::size_t inner =
          mode == PadMode::constant && random.one_in(10) ? 0 : random.below(random.one_in(4) ? 60 : 6) + 1;
      const std::size_t most = mode == PadMode::reflect ? inner - 1 : 7;
      const std::size_t low = random.below(std::min<std::size_t>(most, 9) + 1);
      const std::size_t high = low + inner;
      const std::size_t after = random.below(std::min<std::size_t>(most, 9) + 1) + (inner == 0 && low == 0 ? 1 : 0);
      axes[i] = {high + after, low, high, random.below(3), block, from_block};
      block *= axes[i].size;
      from_block *= axes[i].first + inner + random.below(3);
    }
    const Bytes from = distinct_bytes(from_block);
    const Bytes value = distinct_bytes(size);
    Guarded to(block, random.below(16));
    ASSERT_TRUE(succeeds(pad(to.data(), from.data(), axes, mode, value.data(), size)));
    Bytes wanted;
    write_wanted(wanted, from.data(), axes, mode, value, last_block);
    ASSERT_TRUE(to.written() == wanted) << axes.size() << " axes, mode " << static_cast<int>(mode) << ", items of " << size;
    ASSERT_TRUE(to.intact());
  }
}

}  // namespace
}  // namespace broadloom::test::pad_test
