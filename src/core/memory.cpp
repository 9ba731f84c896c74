#include "core/memory.h"

#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/count.h"
#include "core/growth.h"
#include "core/text.h"

namespace broadloom {
namespace {

// More than the bookkeeping that any call allocates between two calls of require_memory.
constexpr std::size_t reserve_bytes = std::size_t{128} * 1024;

constexpr std::size_t page_bytes = std::size_t{64} * 1024;
constexpr std::size_t most_pages = 1024;
constexpr std::size_t by_a_quarter = SIZE_MAX;
std::size_t pages_ahead = by_a_quarter;

// Outside of wasm, growth detaches no views.
#if defined(__wasm__)
std::size_t memory_pages() { return __builtin_wasm_memory_size(0); }
// A failure has no effect.
void grow(std::size_t pages) { static_cast<void>(__builtin_wasm_memory_grow(0, pages)); }
#else
std::size_t memory_pages() { return 0; }
void grow(std::size_t) {}
#endif

std::size_t& known_pages() {
  static std::size_t pages = memory_pages();
  return pages;
}

}  // namespace

void grow_ahead() {
  const std::size_t pages = memory_pages();
  if (pages == known_pages()) return;
  grow(pages_ahead != by_a_quarter ? pages_ahead : pages / 4 < most_pages ? pages / 4 : most_pages);
  known_pages() = memory_pages();
}

GrowthAhead::GrowthAhead(std::size_t bytes) { pages_ahead = bytes / page_bytes; }

GrowthAhead::~GrowthAhead() {
  pages_ahead = by_a_quarter;
  known_pages() = memory_pages();
}

void* Pool::new_place(std::size_t bytes) { return ::operator new(bytes); }

void Pool::delete_place(void* place) { ::operator delete(place); }

namespace {

// Reclaimable::release_all, as soon as there is an owner: modules without one do not have it.
bool (*release_memory)() = nullptr;

void* allocate_whole(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  // emmalloc adds the size to an address. If the sum wraps around at 4 GB, it returns a block that is too small.
  if (memory == nullptr || malloc_usable_size(memory) >= bytes) return memory;
  std::free(memory);
  return nullptr;
}

void* allocate_or_reclaim(std::size_t bytes) {
  void* memory = allocate_whole(bytes);
  return memory == nullptr && release_memory != nullptr && release_memory() ? allocate_whole(bytes) : memory;
}

}  // namespace

Reclaimable* Reclaimable::first_ = nullptr;

Reclaimable::Reclaimable() : next_(first_) {
  first_ = this;
  release_memory = release_all;
}

Reclaimable::~Reclaimable() {
  Reclaimable** at = &first_;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

bool Reclaimable::release_all() {
  bool is_freed = false;
  for (Reclaimable* one = first_; one != nullptr; one = one->next_) is_freed = one->release() || is_freed;
  return is_freed;
}

void* Reserve::memory_ = nullptr;

void Reserve::hand_over() {
  if (memory_ == nullptr) std::abort();
  std::free(memory_);
  memory_ = nullptr;
}

Status Reserve::renew() {
  memory_ = allocate_or_reclaim(reserve_bytes);
  if (memory_ == nullptr) return Failure(out_of_memory(0));
  std::set_new_handler(hand_over);
  return {};
}

void* allocate(Count bytes) {
  void* memory = bytes.is_addressable() ? allocate_or_reclaim(in_memory(bytes)) : nullptr;
  grow_ahead();
  return memory;
}

Status require_memory(Count count, std::size_t bytes_each) {
  BROADLOOM_CHECK(require_memory());
  const Count bytes = count * bytes_each;
  // Volatile, because compilers remove a malloc whose memory is only freed, and assume that it succeeded.
  void* volatile probe = bytes.is_addressable() ? allocate_or_reclaim(in_memory(bytes)) : nullptr;
  if (probe == nullptr && bytes > 0) return Failure(out_of_memory(bytes));
  std::free(probe);
  grow_ahead();
  return {};
}

Error out_of_memory(Count bytes) {
  if (bytes == 0) return make_error(Code::OutOfMemory, "out of memory");
  return make_error(Code::OutOfMemory, "out of memory: {} bytes do not fit", bytes.number());
}

}  // namespace broadloom
