// The memory limit of the tests with damaged files.
#include "support/memory_limit.h"

#include <gtest/gtest-spi.h>

#include <vector>

#include "core/memory.h"
#include "support/failing_allocations.h"

// The linker redirects the core's malloc here.
extern "C" void* __real_malloc(std::size_t bytes);
extern "C" void* __wrap_malloc(std::size_t bytes) {
  using namespace broadloom::test;
  if (FailingAllocations::refuses()) return nullptr;
#if defined(BROADLOOM_SANITIZE)
  if (MemoryLimit::refuses(bytes)) return nullptr;
#endif
  return __real_malloc(bytes);
}

namespace broadloom::memory_limit_test {
namespace {

constexpr std::size_t part = std::size_t{200} << 20U;

TEST(MemoryLimit, RefusesAllocationsBeyondIt) {
  const test::MemoryLimit limit;
  void* first = allocate(part);
  void* second = allocate(part);
  void* third = allocate(part);
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_EQ(third, nullptr);
  release(third);
  release(second);
  EXPECT_NE(second = allocate(part), nullptr);
  release(second);
  release(first);
}

#if defined(BROADLOOM_SANITIZE)
TEST(MemoryLimit, FailsTheTestIfBookkeepingExceedsIt) {
  testing::TestPartResultArray failures;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(&failures);
    const test::MemoryLimit limit;
    std::vector<std::vector<char>> lists;
    for (int i = 0; i < 3; ++i) lists.emplace_back(part);
  }
  EXPECT_EQ(failures.size(), 1);
}
#endif

}  // namespace
}  // namespace broadloom::memory_limit_test
