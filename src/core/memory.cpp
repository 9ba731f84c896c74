#include "core/memory.h"

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

}  // namespace

void* allocate(std::size_t bytes) { return std::malloc(bytes); }

void release(void* memory) { std::free(memory); }

Status require_memory(std::size_t bytes) {
  if (reserve == nullptr) {
    reserve = std::malloc(reserve_bytes);
    if (reserve == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
    std::set_new_handler(hand_over_reserve);
  }
  if (bytes > 0) {
    void* probe = std::malloc(bytes);
    if (probe == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
    std::free(probe);
  }
  return {};
}

Error out_of_memory(double bytes) {
  if (bytes <= 0) return make_error(Code::OutOfMemory, "out of memory");
  return make_error(Code::OutOfMemory, "out of memory: {} bytes do not fit", bytes);
}

}  // namespace broadloom
