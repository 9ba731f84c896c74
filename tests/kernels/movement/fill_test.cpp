#include "kernels/movement/fill.h"

#include <gtest/gtest.h>

#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "support/canaries.h"

namespace broadloom::test::fill_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes repeated(const Bytes& item, std::size_t count) {
  Bytes bytes;
  for (std::size_t i = 0; i < count; ++i) bytes.insert(bytes.end(), item.begin(), item.end());
  return bytes;
}

// Fills at every misalignment. The item is misaligned, too.
void expect_filled(const Bytes& item, std::size_t count) {
  for (const std::size_t misalignment : misalignments) {
    Guarded to(item.size() * count, misalignment);
    Guarded from(item.size(), misalignment + 1);
    std::copy(item.begin(), item.end(), from.data());
    fill(to.data(), from.data(), item.size(), count);
    ASSERT_EQ(to.written(), repeated(item, count)) << item.size() << " bytes, " << count << " times, at " << misalignment;
    ASSERT_TRUE(to.intact()) << item.size() << " bytes, " << count << " times, at " << misalignment;
  }
}

TEST(Fill, EveryItemSizeAndCountIsWrittenExactly) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(512)) {
      expect_filled(distinct_bytes(size), count);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Fill, ItemsOfEqualBytesAreWrittenExactly) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(64)) {
      expect_filled(Bytes(size, std::byte{0x7F}), count);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Fill, AnItemWhoseBytesDifferOnlyInTheLastIsNotTakenForEqualBytes) {
  for (const std::size_t size : {2U, 4U, 8U, 16U}) {
    Bytes item(size, std::byte{0});
    item.back() = std::byte{1};
    for (const std::size_t count : counts_around_vectors(32)) {
      expect_filled(item, count);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Fill, MoreBytesThanTheCachesHoldAreWrittenExactly) {
  for (const std::size_t size : {2U, 16U}) {
    const Bytes item = distinct_bytes(size);
    const std::size_t count = cached_result / size + 5;
    Guarded to(size * count, 1);
    fill(to.data(), item.data(), size, count);
    EXPECT_TRUE(to.written() == repeated(item, count)) << size << " bytes";
    EXPECT_TRUE(to.intact()) << size << " bytes";
  }
}

TEST(Fill, ACountOfZeroWritesNothing) {
  for (const std::size_t size : item_sizes) expect_filled(distinct_bytes(size), 0);
}

TEST(Splat, RepeatsAnItemThroughTheVector) {
  for (const std::size_t size : item_sizes) {
    const Bytes item = distinct_bytes(size);
    Guarded to(vector_bytes, 3);
    with_item_size(size, [&]<std::size_t item_size>() { store(to.data(), splat<item_size>(item.data())); });
    EXPECT_EQ(to.written(), repeated(item, vector_bytes / size));
    EXPECT_TRUE(to.intact());
  }
}

TEST(Load, ReadsStoredBytesAtAnyAlignment) {
  const Bytes bytes = distinct_bytes(vector_bytes + 16);
  for (std::size_t offset = 0; offset < 16; ++offset) {
    Guarded to(vector_bytes, offset);
    store(to.data(), load(bytes.data() + offset));
    EXPECT_EQ(to.written(), Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(offset + vector_bytes)));
    EXPECT_TRUE(to.intact());
  }
}

}  // namespace
}  // namespace broadloom::test::fill_test
