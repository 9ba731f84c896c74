#include "core/storage.h"

#include "core/memory.h"
#include "support/expect.h"

namespace broadloom::test::storage_test {
namespace {

constexpr std::int64_t too_large = std::int64_t{1} << 52;

TEST(Storage, BytesInUseGrowWithEachStorageAndGoBack) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const StorageRef a = must(Storage::allocate(100));
    EXPECT_EQ(a->size(), 100U);
    EXPECT_EQ(Storage::bytes_in_use(), before + 100);
    const StorageRef b = must(Storage::allocate(23));
    EXPECT_EQ(Storage::bytes_in_use(), before + 123);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Storage, BytesAreAlignedToSixteenAndAllWritable) {
  for (std::int64_t bytes = 0; bytes < 70; ++bytes) {
    const StorageRef storage = must(Storage::allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage->data()) % 16, 0U);
    std::fill_n(storage->data(), bytes, std::byte{0xAB});
  }
}

TEST(Storage, AnAllocationThatDoesNotFitIsOutOfMemoryAndChangesNothing) {
  const std::size_t before = Storage::bytes_in_use();
  EXPECT_TRUE(fails(Storage::allocate(too_large), Code::OutOfMemory, "4503599627370496 bytes do not fit"));
  EXPECT_EQ(Storage::bytes_in_use(), before);
  EXPECT_TRUE(succeeds(Storage::allocate(16)));
}

TEST(Storage, CountsNearTheEndOfTheAddressSpaceDoNotWrapAround) {
  for (const std::uint64_t bytes :
       {UINT64_MAX, UINT64_MAX - 15, UINT64_MAX - 63, std::uint64_t{INT64_MAX}, std::uint64_t{SIZE_MAX}}) {
    EXPECT_TRUE(fails(Storage::allocate(bytes), Code::OutOfMemory)) << bytes;
  }
}

class Sevens : public Storage::Substitute {
 public:
  explicit Sevens(std::size_t size) : size_(size) {}
  void write(std::byte* to) const override { std::fill_n(to, size_, std::byte{7}); }

 private:
  std::size_t size_;
};

TEST(Storage, BytesThatWereLetGoTakeNoMemoryUntilTheyAreBack) {
  constexpr std::size_t size = 100'001;
  const std::size_t before = Storage::bytes_in_use();
  {
    const StorageRef storage = must(Storage::allocate(size));
    std::fill_n(storage->data(), size, std::byte{7});
    for (int i = 0; i < 2; ++i) {
      storage->let_go(std::make_unique<Sevens>(size));
      EXPECT_NE(storage->substitute(), nullptr);
      EXPECT_EQ(storage->size(), size);
      EXPECT_EQ(Storage::bytes_in_use(), before);
      ASSERT_TRUE(succeeds(storage->bring_back()));
      EXPECT_EQ(storage->substitute(), nullptr);
      EXPECT_EQ(Storage::bytes_in_use(), before + size);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(storage->data()) % 16, 0U);
      EXPECT_EQ(std::count(storage->data(), storage->data() + size, std::byte{7}), std::ptrdiff_t{size});
    }
    storage->let_go(std::make_unique<Sevens>(size));
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Storage, FewBytesStayWhenTheyAreLetGo) {
  const std::size_t before = Storage::bytes_in_use();
  const StorageRef storage = must(Storage::allocate(1000));
  storage->let_go(std::make_unique<Sevens>(1000));
  EXPECT_EQ(storage->substitute(), nullptr);
  EXPECT_EQ(Storage::bytes_in_use(), before + 1000);
}

TEST(StorageRef, CopiesShareOneStorageUntilTheLastIsGone) {
  const std::size_t before = Storage::bytes_in_use();
  StorageRef first = must(Storage::allocate(8));
  EXPECT_FALSE(first->is_shared());
  {
    const StorageRef second = first;
    EXPECT_TRUE(first->is_shared());
    EXPECT_EQ(second->data(), first->data());
    const StorageRef third(second);
    first = StorageRef();
    EXPECT_TRUE(second->is_shared());
    EXPECT_EQ(Storage::bytes_in_use(), before + 8);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(StorageRef, AMoveDoesNotShare) {
  StorageRef first = must(Storage::allocate(8));
  const std::byte* data = first->data();
  const StorageRef second = std::move(first);
  EXPECT_FALSE(second->is_shared());
  EXPECT_EQ(second->data(), data);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): the subject of this test
  EXPECT_TRUE(second);
}

TEST(StorageRef, AssignmentReleasesTheOldStorage) {
  const std::size_t before = Storage::bytes_in_use();
  StorageRef a = must(Storage::allocate(8));
  const StorageRef b = must(Storage::allocate(32));
  a = b;
  EXPECT_EQ(Storage::bytes_in_use(), before + 32);
  EXPECT_TRUE(b->is_shared());
}

TEST(StorageRef, SelfAssignmentKeepsTheStorage) {
  StorageRef a = must(Storage::allocate(8));
  StorageRef& same = a;
  a = same;
  ASSERT_TRUE(a);
  EXPECT_FALSE(a->is_shared());
  EXPECT_EQ(a->size(), 8U);
  a = std::move(same);
  ASSERT_TRUE(a);
  EXPECT_EQ(a->size(), 8U);
}

TEST(StorageRef, EmptyReferencesCanBeCopiedAndDropped) {
  const StorageRef nothing;
  const StorageRef copy = nothing;  // NOLINT(performance-unnecessary-copy-initialization): the subject of this test
  EXPECT_FALSE(copy);
}

TEST(Storage, TextLivesAsLongAsTheStorageThatPointsToIt) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const StorageRef elements = must(Storage::allocate(8));
    elements->text = must(Storage::allocate(5));
    EXPECT_EQ(Storage::bytes_in_use(), before + 13);
    const StorageRef copy = elements;
    EXPECT_FALSE(elements->text->is_shared());
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(Storage, IsNotExposedAtFirst) { EXPECT_FALSE(must(Storage::allocate(1))->exposed); }

TEST(RequireMemory, SucceedsWhenThereIsEnough) {
  EXPECT_TRUE(succeeds(require_memory()));
  EXPECT_TRUE(succeeds(require_memory(1000)));
}

TEST(RequireMemory, RefusesSizesThatDoNotFitAndRecovers) {
  EXPECT_TRUE(fails(require_memory(static_cast<std::size_t>(too_large)), Code::OutOfMemory, "do not fit"));
  EXPECT_TRUE(succeeds(require_memory(1)));
}

TEST(Allocate, GivesNullWhenItDoesNotFit) {
  void* nothing = allocate(too_large);
  EXPECT_EQ(nothing, nullptr);
  release(nothing);
  void* something = allocate(10);
  EXPECT_NE(something, nullptr);
  release(something);
}

}  // namespace
}  // namespace broadloom::test::storage_test
