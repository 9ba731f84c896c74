#include "kernels/movement/blocks.h"

#include <gtest/gtest.h>

#include <vector>

namespace broadloom::blocks_test {
namespace {

using Bytes = std::vector<std::byte>;

// 40 blocks of distinct bytes.
Bytes blocks_of(std::size_t block_bytes) {
  Bytes bytes(40 * block_bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

constexpr std::size_t order[] = {39, 0, 7, 7, 20};

std::vector<std::ptrdiff_t> offsets_of(std::size_t block_bytes) {
  std::vector<std::ptrdiff_t> offsets;
  for (const std::size_t number : order) offsets.push_back(static_cast<std::ptrdiff_t>(number * block_bytes));
  return offsets;
}

TEST(GatherBlocks, CopiesBlocksOfEverySizeInTheOrderOfOffsets) {
  for (const std::size_t block_bytes : {1U, 2U, 3U, 4U, 8U, 12U, 16U, 100U}) {
    const Bytes from = blocks_of(block_bytes);
    Bytes to(std::size(order) * block_bytes);
    gather_blocks(to.data(), from.data(), offsets_of(block_bytes), block_bytes);
    Bytes wanted;
    for (const std::size_t number : order) {
      const auto first = from.begin() + static_cast<std::ptrdiff_t>(number * block_bytes);
      wanted.insert(wanted.end(), first, first + static_cast<std::ptrdiff_t>(block_bytes));
    }
    EXPECT_EQ(to, wanted) << block_bytes;
  }
}

TEST(ScatterBlocks, CopiesBlocksToOffsetsAndTheLastWriteWins) {
  for (const std::size_t block_bytes : {1U, 2U, 3U, 4U, 8U, 12U, 16U, 100U}) {
    const Bytes from = blocks_of(block_bytes);
    Bytes to(40 * block_bytes);
    Bytes wanted = to;
    scatter_blocks(to.data(), offsets_of(block_bytes), from.data(), block_bytes, block_bytes);
    for (std::size_t i = 0; i < std::size(order); ++i) {
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(i * block_bytes), block_bytes,
                  wanted.begin() + static_cast<std::ptrdiff_t>(order[i] * block_bytes));
    }
    EXPECT_EQ(to, wanted) << block_bytes;
  }
}

}  // namespace
}  // namespace broadloom::blocks_test
