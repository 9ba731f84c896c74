#include "core/memory.h"

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/text.h"

namespace broadloom {
namespace {

// Larger than all that one call allocates for bookkeeping between two calls of require_memory.
constexpr std::size_t reserve_bytes = std::size_t{128} * 1024;

void* reserve = nullptr;

void hand_over_reserve() {
  if (reserve == nullptr) std::abort();
  std::free(reserve);
  reserve = nullptr;
}

#if defined(__wasm__)
void grow_ahead() {
  constexpr std::size_t most_pages = 1024;  // of 64 KiB
  static std::size_t known_pages = __builtin_wasm_memory_size(0);
  const std::size_t pages = __builtin_wasm_memory_size(0);
  if (pages == known_pages) return;
  // Nothing is lost when this fails.
  static_cast<void>(__builtin_wasm_memory_grow(0, pages / 4 < most_pages ? pages / 4 : most_pages));
  known_pages = __builtin_wasm_memory_size(0);
}
#else
void grow_ahead() {}
#endif

}  // namespace

void* allocate(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  grow_ahead();
  return memory;
}

Status require_memory(std::size_t count, std::size_t bytes_each) {
  const auto bytes = static_cast<std::uint64_t>(count) * bytes_each;
  bool fits = true;
  if (reserve == nullptr) {
    reserve = std::malloc(reserve_bytes);
    std::set_new_handler(hand_over_reserve);
    fits = reserve != nullptr;
  }
  if (fits && bytes > 0) {
    // Volatile: compilers drop a malloc whose memory is only freed, and take it to have succeeded.
    void* volatile probe = bytes > SIZE_MAX ? nullptr : std::malloc(static_cast<std::size_t>(bytes));
    fits = probe != nullptr;
    std::free(probe);
  }
  if (!fits) return Failure(out_of_memory(static_cast<double>(bytes)));
  return {};
}

Error out_of_memory(double bytes) {
  if (bytes <= 0) return make_error(Code::OutOfMemory, "out of memory");
  return make_error(Code::OutOfMemory, "out of memory: {} bytes do not fit", bytes);
}

}  // namespace broadloom
