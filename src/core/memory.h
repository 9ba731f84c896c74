// The heap: allocations that may fail, and a reserve that keeps small ones from failing.
//
// The core is built without exceptions, where an `operator new` that finds no memory ends the program. So everything
// whose size a user chooses is allocated here and may fail, and small bookkeeping (a tensor's record, a name, an error
// text) may use `new`: when the heap is full, a reserve set aside beforehand is handed over to it. Every public entry
// that may allocate calls `require_memory` first, which refuses new work until the reserve is whole again.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "core/status.h"

namespace broadloom {

// `bytes` of memory, uninitialised, or nullptr. Alignment is that of malloc. When the wasm memory has to grow for it, it
// grows ahead by a quarter, at most 64 MiB: every growth detaches JavaScript's views.
void* allocate(std::size_t bytes);
inline void release(void* memory) { std::free(memory); }

// `reclaim` is called where memory is short, before anything fails. It frees what is only kept to save time, and returns
// whether there was any.
void set_reclaim(bool (*reclaim)());

// While it lives, the memory that has to grow grows ahead by `bytes` instead: for work that knows what it is still going to
// take. Without it, a file of 88 MB would make the memory grow by 110.
class GrowthAhead {
 public:
  explicit GrowthAhead(std::size_t bytes);
  GrowthAhead(const GrowthAhead&) = delete;
  GrowthAhead& operator=(const GrowthAhead&) = delete;
  ~GrowthAhead();
};

// Places of freed objects of one size, kept for the next ones: a malloc and a free cost 20 ns.
class Pool {
 public:
  // A place, or nullptr when none is kept.
  void* take() {
    Place* place = first_;
    if (place != nullptr) {
      first_ = place->next;
      --count_;
    }
    return place;
  }
  // The same, or a new place of `bytes`.
  void* take_or_new(std::size_t bytes) {
    void* place = take();
    return place != nullptr ? place : new_place(bytes);
  }
  // False when enough are kept: the place is still the caller's to free.
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

// What is set aside for bookkeeping.
class Reserve {
 public:
  static bool is_whole() { return memory_ != nullptr; }
  [[gnu::cold, gnu::noinline]] static Status renew();

 private:
  static void hand_over();
  static void* memory_;
};

// Fails with OutOfMemory unless the reserve is whole.
inline Status require_memory() { return Reserve::is_whole() ? Status() : Reserve::renew(); }
// The same unless, beside the reserve, bookkeeping for `count` things of `bytes_each` could be allocated.
Status require_memory(std::size_t count, std::size_t bytes_each = 1);

// `size` values, if there is memory for them.
template <class T>
Result<std::vector<T>> allocate_vector(std::size_t size) {
  BROADLOOM_CHECK(require_memory(size, sizeof(T)));
  return std::vector<T>(size);
}

// The error of an allocation that did not fit.
[[gnu::cold]] Error out_of_memory(double bytes);

}  // namespace broadloom
