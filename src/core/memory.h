// The heap: allocations that may fail, and a reserve that keeps small ones from failing.
//
// The core is built without exceptions, so an `operator new` without memory ends the program. Therefore everything
// whose size a user chooses is allocated here and may fail, and small bookkeeping (a tensor's record, a name, an error
// text) may use `new`: if the heap is full, a reserve is freed for it. Every public entry
// that may allocate calls `require_memory` first, which refuses new work until the reserve is complete again.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/count.h"
#include "core/status.h"

namespace broadloom {

// `bytes` of uninitialised memory, or nullptr, also for more bytes than there are addresses. The alignment is malloc's. If the
// wasm memory must grow, it grows by an additional quarter, at most 64 MiB, because every growth detaches JavaScript's views.
void* allocate(Count bytes);
inline void release(void* memory) { std::free(memory); }

// An owner of caches, which are freed before an allocation fails.
class Reclaimable {
 public:
  Reclaimable(const Reclaimable&) = delete;
  Reclaimable& operator=(const Reclaimable&) = delete;

  // Frees what can be freed, of all owners. False when there is nothing.
  static bool release_all();

 protected:
  Reclaimable();
  ~Reclaimable();
  // Frees what nobody uses. False when there is nothing.
  virtual bool release() = 0;

 private:
  Reclaimable* next_;
  static Reclaimable* first_;
};

// While an object lives, growing memory grows by `bytes` more, instead of a quarter: for work that knows how much it will
// need. Without it, a file of 88 MB would make the memory grow by 110 MB.
class GrowthAhead {
 public:
  explicit GrowthAhead(std::size_t bytes);
  GrowthAhead(const GrowthAhead&) = delete;
  GrowthAhead& operator=(const GrowthAhead&) = delete;
  ~GrowthAhead();
};

// A pool of freed blocks of one size, because a malloc and a free take 20 ns.
class Pool {
 public:
  // A block, or nullptr if the pool is empty.
  void* take() {
    Place* place = first_;
    if (place != nullptr) {
      first_ = place->next;
      --count_;
    }
    return place;
  }
  // A block, or a new one of `bytes`.
  void* take_or_new(std::size_t bytes) {
    void* place = take();
    return place != nullptr ? place : new_place(bytes);
  }
  // Returns false if the pool is full: then the caller must free the block.
  bool give(void* place) {
    if (count_ == most) return false;
    first_ = new (place) Place{first_};
    ++count_;
    return true;
  }
  void give_or_delete(void* place) {
    if (!give(place)) delete_place(place);
  }

 private:
  static constexpr int most = 64;
  struct Place {
    Place* next;
  };
  [[gnu::cold, gnu::noinline]] static void* new_place(std::size_t bytes);
  [[gnu::cold, gnu::noinline]] static void delete_place(void* place);

  Place* first_ = nullptr;
  int count_ = 0;
};

// Allocates the nodes of a list from a pool.
template <class T>
struct PoolAllocator {
  using value_type = T;

  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) {}
  static T* allocate(std::size_t) { return static_cast<T*>(pool.take_or_new(sizeof(T))); }
  static void deallocate(T* place, std::size_t) { pool.give_or_delete(place); }
  friend bool operator==(const PoolAllocator&, const PoolAllocator&) { return true; }

 private:
  static inline Pool pool;
};

// The reserve for bookkeeping.
class Reserve {
 public:
  static bool is_whole() { return memory_ != nullptr; }
  [[gnu::cold, gnu::noinline]] static Status renew();

 private:
  static void hand_over();
  static void* memory_;
};

// Fails with OutOfMemory unless the reserve is complete.
inline Status require_memory() { return Reserve::is_whole() ? Status() : Reserve::renew(); }
// Also fails unless `count * bytes_each` bytes of bookkeeping could be allocated besides the reserve.
Status require_memory(Count count, std::size_t bytes_each = 1);

// `size` values, if there is memory for them.
template <class T>
Result<std::vector<T>> allocate_vector(std::size_t size) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer.
  BROADLOOM_CHECK(require_memory(size, sizeof(T)));
  return std::vector<T>(size);
}

// The error of an allocation that did not fit.
[[gnu::cold]] Error out_of_memory(Count bytes);

}  // namespace broadloom
