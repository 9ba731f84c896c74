// Memory for many small records that live as long as their owner. They are allocated consecutively and freed together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace broadloom {

// Memory that is freed as a whole. An arena allocates with `new`, so its users must call require_memory before (core/memory.h).
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // `bytes` of memory, aligned to 8.
  void* allocate(std::size_t bytes);
  // `count` values that need no destructor.
  template <class T>
  std::span<T> make_list(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* list = static_cast<T*>(allocate(count * sizeof(T)));  // NOLINT(bugprone-sizeof-expression): T may be a pointer
    for (std::size_t i = 0; i < count; ++i) new (list + i) T();
    return {list, count};
  }
  // A copy of `text`.
  std::string_view copy(std::string_view text);

 private:
  struct Block {
    Block* next;
  };
  Block* blocks_ = nullptr;
  std::byte* at_ = nullptr;
  std::size_t left_ = 0;
};

// Records in an arena, by numbers from 1; the record 0 is empty. A copy of the table has the same records.
template <class T>
class Numbered {
 public:
  std::uint32_t add(Arena& arena) {
    if (count_ % block_size == 0) blocks_.push_back(arena.make_list<T>(block_size).data());
    return ++count_;
  }
  T& at(std::uint32_t number) const { return blocks_[(number - 1) / block_size][(number - 1) % block_size]; }
  const T& operator[](std::uint32_t number) const { return number == 0 ? nothing : at(number); }

 private:
  static constexpr std::uint32_t block_size = 32;
  inline static const T nothing{};
  std::vector<T*> blocks_;
  std::uint32_t count_ = 0;
};

// Records in an arena, in the order in which they were added. Each has a member `next`, which the chain uses.
template <class T>
class Chain {
 public:
  class Iterator {
   public:
    explicit Iterator(T* at) : at_(at) {}
    T& operator*() const { return *at_; }
    Iterator& operator++() {
      at_ = at_->next;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    T* at_;
  };

  Chain() = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  T& add(Arena& arena) {
    *last_ = new (arena.allocate(sizeof(T))) T();
    T& added = **last_;
    last_ = &added.next;
    ++size_;
    return added;
  }
  // Adds the records of another chain, which becomes empty.
  void take(Chain& other) {
    if (other.size_ == 0) return;
    *last_ = std::exchange(other.first_, nullptr);
    last_ = std::exchange(other.last_, &other.first_);
    size_ += std::exchange(other.size_, 0);
  }
  // Removes all records.
  void clear() {
    first_ = nullptr;
    last_ = &first_;
    size_ = 0;
  }
  // Replaces the records by these, in this order. None may stay in another chain.
  void assign(std::span<T* const> records) {
    clear();
    for (T* record : records) {
      *last_ = record;
      record->next = nullptr;
      last_ = &record->next;
      ++size_;
    }
  }
  // For records with a destructor, because the arena frees their memory without calling it.
  void destroy() {
    for (T* record = first_; record != nullptr;) {
      T* next = record->next;
      record->~T();
      record = next;
    }
  }
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(nullptr); }
  std::size_t size() const { return size_; }

 private:
  T* first_ = nullptr;
  T** last_ = &first_;
  std::size_t size_ = 0;
};

}  // namespace broadloom
