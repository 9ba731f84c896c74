#include "fuzz/target.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.h"
#include "core/memory.h"
#include "core/storage.h"
#include "support/memory_limit.h"

#if defined(BROADLOOM_SANITIZE)
extern "C" void* __real_malloc(std::size_t bytes);
extern "C" void* __wrap_malloc(std::size_t bytes) {
  return broadloom::test::MemoryLimit::refuses(bytes) ? nullptr : __real_malloc(bytes);
}
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:max_allocation_size_mb=256"; }
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }
#endif

// The bindings ask the host for it.
extern "C" double hostMilliseconds() { return 0; }

#if defined(__EMSCRIPTEN__)
extern "C" void emscripten_notify_memory_growth(std::size_t memory);
#endif

namespace broadloom::fuzz {
namespace {

// The library grows the memory without a word to Emscripten's JavaScript, whose views for reading and printing are then
// detached.
void renew_views() {
#if defined(__EMSCRIPTEN__)
  emscripten_notify_memory_growth(0);
#endif
}

// Less than tests have, because a fuzzer does it a million times. Without sanitizers, files are only replayed, and limits.bytes
// bounds them.
[[maybe_unused]] constexpr std::size_t most_live = std::size_t{96} << 20U;

// A clock of steps: a look at it is a millisecond, and the library looks after each million steps. So a file that runs too long
// does so on every machine.
double ticks() {
  static double now = 0;
  return ++now;
}

class RenewViews : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult&) override { renew_views(); }
};

class EndAfterFailure : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fflush(stdout);
    std::abort();
  }
};

// In the order in which they came.
std::vector<std::pair<std::string_view, std::int64_t>>& outcomes() {
  static std::vector<std::pair<std::string_view, std::int64_t>> list;
  return list;
}

void print_outcomes() {
  std::string line = "OUTCOMES";
  for (const auto& [name, count] : outcomes()) line += " " + std::string(name) + ": " + std::to_string(count) + ";";
  std::fprintf(stderr, "%s\n", line.c_str());
}

bool start() {
  outcomes().reserve(16);
  std::atexit(print_outcomes);

  testing::InitGoogleTest();
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  testing::TestEventListener* const printer = listeners.Release(listeners.default_result_printer());
  listeners.Append(new RenewViews);
  listeners.Append(printer);
  listeners.Append(new EndAfterFailure);
  Watch::set_clock(ticks);
  limits.milliseconds = 8;
  limits.bytes = 16 << 20;
  // The reserve of the heap, which stays.
  EXPECT_TRUE(require_memory());
  return true;
}

}  // namespace

void note(const char* outcome) {
  for (auto& [name, count] : outcomes()) {
    if (name == outcome) return static_cast<void>(++count);
  }
  outcomes().emplace_back(outcome, 1);
}

void run(Target target, const std::uint8_t* data, std::size_t size) {
  static const bool is_started = start();
  static_cast<void>(is_started);
  const std::size_t before = Storage::bytes_in_use();
  {
#if defined(BROADLOOM_SANITIZE)
    const test::MemoryLimit limit(most_live);
#endif
    const auto exact = std::make_unique<char[]>(size);
    std::copy_n(reinterpret_cast<const char*>(data), size, exact.get());
    Watch::start();
    target({exact.get(), size});
  }
  renew_views();
  EXPECT_EQ(Storage::bytes_in_use(), before) << "tensors are left over";
}

}  // namespace broadloom::fuzz
