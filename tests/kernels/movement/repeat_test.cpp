#include "kernels/movement/repeat.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/exact.h"
#include "support/random.h"

namespace broadloom::test::repeat_test {
namespace {

using Bytes = std::vector<std::byte>;

// `size` is the size of an item or of a block.
Bytes naive(const Exact& source, std::size_t size, std::size_t count, std::size_t times) {
  Bytes result(size * count * times);
  std::byte* to = result.data();
  for (std::size_t item = 0; item < count; ++item) {
    for (std::size_t time = 0; time < times; ++time) to = std::copy_n(source.data() + item * size, size, to);
  }
  return result;
}

void expect_repeated(std::size_t size, std::size_t count, std::size_t times, std::size_t misalignment) {
  const Exact source(size * count, misalignment * 3 % 16);
  Guarded to(size * count * times, misalignment);
  repeat_each(to.data(), source.data(), size, count, times);
  const auto describe = [&] {
    return std::to_string(count) + " blocks of " + std::to_string(size) + " bytes, " + std::to_string(times) + " times, at " +
           std::to_string(misalignment);
  };
  ASSERT_EQ(to.written(), naive(source, size, count, times)) << describe();
  ASSERT_TRUE(to.intact()) << describe();
}

// Tests every item size and every number of times up to `most_times`. The cases use all 16 misalignments in turn.
void expect_all_sizes_and_times(std::size_t most_times, const std::vector<std::size_t>& counts) {
  std::size_t round = 0;
  for (const std::size_t size : item_sizes) {
    for (std::size_t times = 2; times <= most_times; ++times) {
      for (const std::size_t count : counts) {
        expect_repeated(size, count, times, round++ % 16);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(RepeatEach, EveryItemIsRepeatedTheGivenNumberOfTimes) { expect_all_sizes_and_times(70, counts_around_vectors(32)); }

TEST(RepeatEach, EveryCountOfItemsUpToFortyIsRepeatedUpToFortyTimes) {
  std::vector<std::size_t> counts(40);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = i + 1;
  expect_all_sizes_and_times(40, counts);
}

TEST(RepeatEach, EveryAlignmentOfSourceAndResultIsWrittenExactly) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t times : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 33U}) {
      for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 31U, 256U, 259U}) {
        for (std::size_t misalignment = 0; misalignment < 16; ++misalignment) expect_repeated(size, count, times, misalignment);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(RepeatEach, ManyItemsRepeatedAFewTimesAreWrittenExactly) {
  std::vector<std::size_t> counts{511, 512, 513, 1000, 1023, 2048, 2049, 3001};
  for (std::size_t count = 50; count <= 90; ++count) counts.push_back(count);
  expect_all_sizes_and_times(9, counts);
}

TEST(RepeatEach, ManyItemsRepeatedManyTimesAreWrittenExactly) { expect_all_sizes_and_times(70, {63, 64, 65, 300}); }

// Results of more than 128 bytes are filled one by one.
TEST(RepeatEach, LongRowsAreWrittenExactly) {
  std::size_t round = 0;
  for (const std::size_t size : item_sizes) {
    for (const std::size_t times :
         {63U, 64U, 65U, 127U, 128U, 129U, 255U, 256U, 257U, 511U, 513U, 1000U, 1023U, 1024U, 1025U}) {
      for (const std::size_t count : {1U, 2U, 3U, 15U, 16U, 17U, 40U}) expect_repeated(size, count, times, round++ % 16);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatEach, ItemsOfEqualBytesInLongRowsAreWrittenExactly) {
  const Bytes source(40, std::byte{0x55});
  Guarded to(40 * 1025, 3);
  repeat_each(to.data(), source.data(), 8, 5, 1025);
  EXPECT_EQ(to.written(), Bytes(40 * 1025, std::byte{0x55}));
  EXPECT_TRUE(to.intact());
}

TEST(RepeatEach, BlocksOfEverySizeAreWrittenExactly) {
  std::size_t round = 0;
  for (std::size_t size = 1; size <= 200; ++size) {
    for (const std::size_t times : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 19U}) {
      for (const std::size_t count : {1U, 2U, 3U, 16U, 17U, 70U}) expect_repeated(size, count, times, round++ % 16);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatEach, LargeBlocksAreWrittenExactly) {
  std::size_t round = 0;
  for (const std::size_t size : {255U, 256U, 257U, 500U, 511U, 512U, 513U, 1000U, 1023U, 1024U, 1025U, 1716U, 4096U, 5001U}) {
    for (const std::size_t times : {2U, 3U, 8U, 9U, 32U, 33U, 70U}) {
      for (const std::size_t count : {1U, 2U, 3U}) expect_repeated(size, count, times, round++ % 16);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatEach, LongResultsOfBlocksOfAnySizeAreWrittenExactly) {
  std::size_t round = 0;
  for (const std::size_t size : {3U, 5U, 7U, 9U, 12U, 15U, 17U, 48U, 100U}) {
    for (const std::size_t bytes : {57U, 1000U, 8191U, 8192U, 32767U, 32768U, 40000U}) {
      for (const std::size_t count : {1U, 3U, 20U}) expect_repeated(size, count, bytes / size + 2, round++ % 16);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(RepeatEach, NoItemsWriteNothing) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t times : {2U, 8U, 70U, 2000U}) expect_repeated(size, 0, times, 1);
  }
}

TEST(RepeatEach, RandomCountsAndTimesEqualTheNaiveLoop) {
  Random random;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t size = random.one_in(2) ? item_sizes[random.below(5)] : 1 + random.below(random.one_in(2) ? 16 : 700);
    const std::size_t times = 2 + random.below(random.one_in(4) ? 300 : 20);
    const std::size_t most = std::min<std::size_t>(3000, 60000 / (size * times) + 1);
    expect_repeated(size, random.below(most) + 1, times, random.below(16));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom::test::repeat_test
