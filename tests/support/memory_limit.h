// A limit on the memory of a test. A damaged sparse tensor may need gigabytes of zeros, which are slow to write.
#pragma once

#include <sys/resource.h>

#include <cstddef>

#include "gtest/gtest.h"

#if defined(BROADLOOM_SANITIZE)
// Declared as in sanitizer/allocator_interface.h, which g++ lacks.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*, std::size_t),
                                                         void (*free_hook)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* memory);
#endif

namespace broadloom::test {

constexpr std::size_t most_memory = std::size_t{512} << 20U;

#if defined(BROADLOOM_SANITIZE)

// Sanitizers reserve the address space, so rlimit does not work. Bytes are counted instead: beyond the limit malloc fails,
// which is an error in the core (the linker redirects its malloc to __wrap_malloc). Bookkeeping must not fail: if it exceeds
// the limit by more than an eighth, the test fails.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes = most_memory) : bytes_(bytes) {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(added, removed);
    EXPECT_GT(installed, 0);
    limit_ = live_ + bytes;
    most_ = live_;
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() {
    EXPECT_LE(most_, limit_ + bytes_ / 8) << "bytes were live at a time";
    limit_ = 0;
  }

  static bool refuses(std::size_t bytes) { return limit_ != 0 && live_ + bytes > limit_; }

 private:
  static void added(const volatile void*, std::size_t bytes) {
    live_ += bytes;
    if (live_ > most_) most_ = live_;
  }
  static void removed(const volatile void* memory) {
    if (memory != nullptr) live_ -= __sanitizer_get_allocated_size(memory);
  }

  std::size_t bytes_;
  // Bytes allocated before the hooks may be freed later. The initial value keeps the count positive.
  static inline std::size_t live_ = std::size_t{1} << 40U;
  static inline std::size_t most_ = 0;
  static inline std::size_t limit_ = 0;
};

#else

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes = most_memory) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

#endif

}  // namespace broadloom::test
