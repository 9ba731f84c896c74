#include "kernels/movement/copy.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/exact.h"

namespace broadloom::test::copy_test {
namespace {

using Bytes = std::vector<std::byte>;

void expect_copied(std::size_t bytes, std::size_t to_misalignment, std::size_t from_misalignment) {
  const Exact source(bytes, from_misalignment);
  Guarded to(bytes, to_misalignment);
  copy_bytes(to.data(), source.data(), bytes);
  ASSERT_EQ(to.written(), Bytes(source.data(), source.end()))
      << bytes << " bytes, to " << to_misalignment << ", from " << from_misalignment;
  ASSERT_TRUE(to.intact()) << bytes << " bytes, to " << to_misalignment << ", from " << from_misalignment;
}

TEST(CopyBytes, EverySizeIsCopiedExactly) {
  for (std::size_t bytes = 0; bytes <= 1100; ++bytes) {
    for (const std::size_t to : misalignments) {
      for (const std::size_t from : misalignments) expect_copied(bytes, to, from);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(CopyBytes, EveryPairOfMisalignmentsIsCopiedExactly) {
  for (const std::size_t bytes : {1U, 15U, 16U, 17U, 63U, 64U, 65U, 80U, 511U, 512U, 513U}) {
    for (std::size_t to = 0; to < 16; ++to) {
      for (std::size_t from = 0; from < 16; ++from) expect_copied(bytes, to, from);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(CopyBytes, NoBytesFromANullPointerAreAllowed) { copy_bytes(nullptr, nullptr, 0); }

// Expects a block to be repeated to `bytes` bytes; the last repetition is cut off there.
void expect_repeated_to(std::size_t block, std::size_t bytes, std::size_t misalignment) {
  const Bytes source = distinct_bytes(block);
  Guarded to(bytes, misalignment);
  std::copy(source.begin(), source.end(), to.data());
  repeat_block(to.data(), block, bytes);
  Bytes expected(bytes);
  for (std::size_t i = 0; i < bytes; ++i) expected[i] = source[i % block];
  ASSERT_EQ(to.written(), expected) << block << " bytes to " << bytes << " bytes, at " << misalignment;
  ASSERT_TRUE(to.intact()) << block << " bytes to " << bytes << " bytes, at " << misalignment;
}

void expect_repeated(std::size_t block, std::size_t times, std::size_t misalignment) {
  expect_repeated_to(block, block * times, misalignment);
}

TEST(RepeatBlock, SmallBlocksAreWrittenExactly) {
  for (const std::size_t block : counts_around_vectors(32)) {
    if (block == 0) continue;
    for (const std::size_t times : counts_around_vectors(32)) {
      if (times == 0) continue;
      for (const std::size_t misalignment : misalignments) expect_repeated(block, times, misalignment);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatBlock, BlocksAroundTheSizeThatIsKeptInCacheAreWrittenExactly) {
  for (const std::size_t block : {16383U, 16384U, 16385U, 8191U, 8192U, 8193U, 5000U, 40000U}) {
    for (const std::size_t times : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U}) {
      expect_repeated(block, times, times % 8);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatBlock, SmallBlocksFillMoreThanTheCachedSizeExactly) {
  for (const std::size_t block : {1U, 3U, 12U, 16U, 1000U}) {
    for (const std::size_t bytes : {16384U, 32768U, 50000U}) expect_repeated(block, bytes / block + 1, 5);
    if (HasFatalFailure()) return;
  }
}

TEST(RepeatBlock, OneTimeLeavesTheBlockAsItIs) { expect_repeated(100, 1, 0); }

TEST(RepeatBlock, TheLastRepetitionOfASmallBlockIsCutAtEveryByte) {
  for (std::size_t block = 1; block <= 40; ++block) {
    for (std::size_t bytes = block; bytes <= 6 * block; ++bytes) expect_repeated_to(block, bytes, bytes % 16);
    if (HasFatalFailure()) return;
  }
}

TEST(RepeatBlock, TheLastRepetitionOfALargeBlockIsCutAnywhere) {
  for (const std::size_t block : {100U, 1000U, 4095U, 4096U, 4097U, 8191U, 8192U, 8193U, 20000U}) {
    for (const std::size_t whole : {1U, 2U, 3U, 4U, 8U, 9U}) {
      for (const std::size_t cut : {std::size_t{1}, std::size_t{15}, std::size_t{16}, block / 2, block - 17, block - 1}) {
        expect_repeated_to(block, block * whole + cut, cut % 8);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatBlock, ACutWhileTheBlockStillDoublesIsExact) {
  for (const std::size_t bytes : {8190U, 8191U, 8192U, 8193U, 8194U, 12289U, 16383U, 16385U}) {
    for (const std::size_t block : {1U, 3U, 7U, 48U, 500U, 3000U, 4096U, 5000U}) expect_repeated_to(block, bytes, 1);
    if (HasFatalFailure()) return;
  }
}

TEST(RepeatBlock, MoreBytesThanTheCachesHoldAreWrittenExactly) {
  for (const std::size_t block : {3000U, 16384U}) {
    const Bytes source = distinct_bytes(block);
    const std::size_t bytes = cached_result + block + 7;  // the last repetition is cut below a vector
    Guarded to(bytes, 3);
    std::copy(source.begin(), source.end(), to.data());
    repeat_block(to.data(), block, bytes);
    bool same = true;
    for (std::size_t i = 0; i < bytes; ++i) same = same && to.data()[i] == source[i % block];
    EXPECT_TRUE(same) << block << " bytes";
    EXPECT_TRUE(to.intact()) << block << " bytes";
  }
}

// Expects items to be read with a stride in items from the middle of a source, forwards or backwards.
void expect_gathered(std::size_t size, std::size_t count, std::ptrdiff_t stride, std::size_t misalignment) {
  const auto reach = static_cast<std::ptrdiff_t>(count * size) * std::abs(stride);
  const Bytes source = distinct_bytes(static_cast<std::size_t>(2 * reach) + size);
  const std::byte* from = source.data() + reach;
  const std::ptrdiff_t stride_bytes = stride * static_cast<std::ptrdiff_t>(size);
  Guarded to(size * count, misalignment);
  gather(to.data(), from, stride_bytes, size, count);
  Bytes expected;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* item = from + static_cast<std::ptrdiff_t>(i) * stride_bytes;
    expected.insert(expected.end(), item, item + size);
  }
  ASSERT_EQ(to.written(), expected) << size << " bytes, " << count << " times, stride " << stride;
  ASSERT_TRUE(to.intact()) << size << " bytes, " << count << " times, stride " << stride;
}

TEST(Gather, EveryItemSizeCountAndStrideIsReadExactly) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(64)) {
      for (const std::ptrdiff_t stride : {0, 1, 2, 3, 17, -1, -5}) {
        for (const std::size_t misalignment : misalignments) expect_gathered(size, count, stride, misalignment);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Gather, AStrideNeedNotBeAMultipleOfTheItemSize) {
  const Bytes source = distinct_bytes(64);
  Guarded to(8, 0);
  gather(to.data(), source.data(), 7, 4, 2);
  const Bytes expected{source[0], source[1], source[2], source[3], source[7], source[8], source[9], source[10]};
  EXPECT_EQ(to.written(), expected);
  EXPECT_TRUE(to.intact());
}

}  // namespace
}  // namespace broadloom::test::copy_test
