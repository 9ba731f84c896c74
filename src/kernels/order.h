// Numbers of any type as keys that are compared alone, and places ranked by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/dtype.h"

namespace broadloom {

// Writes the keys of `count` numbers that lie `step` bytes apart: unsigned integers in the order of the numbers. Both zeros
// have one key, and all NaNs one, above infinity. For types of numbers and bool of 8 to 64 bits, without complex and 8-bit
// floating-point ones.
void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype);

// Lets the first item of a heap of `count` sink to where it belongs. On top is the one that comes after all others.
template <class Item, class ComesBefore>
void sink(Item* heap, std::size_t at, std::size_t count, ComesBefore comes_before) {
  for (;;) {
    std::size_t child = 2 * at + 1;
    if (child >= count) return;
    if (child + 1 < count && comes_before(heap[child], heap[child + 1])) ++child;
    if (!comes_before(heap[at], heap[child])) return;
    std::swap(heap[at], heap[child]);
    at = child;
  }
}

template <class Item, class ComesBefore>
void make_heap(Item* items, std::size_t count, ComesBefore comes_before) {
  for (std::size_t i = count / 2; i-- > 0;) sink(items, i, count, comes_before);
}

// Puts a heap in order, in time n log n and no memory.
template <class Item, class ComesBefore>
void sort_heap(Item* heap, std::size_t count, ComesBefore comes_before) {
  while (count > 1) {
    std::swap(heap[0], heap[--count]);
    sink(heap, 0, count, comes_before);
  }
}

struct Ranked {
  std::uint64_t key;
  std::size_t number;
};

// Those with the highest keys, of equal ones those that come first.
class Highest {
 public:
  // So many as there are places, at least one.
  explicit Highest(std::span<Ranked> places) : places_(places) {}
  // Keys of the next ones, as they are or with `flip` as all bits for the lowest.
  void add(std::span<const std::uint64_t> keys, std::uint64_t flip);
  // Puts them in order: the highest first. There were as many as places, at least.
  void sort();

 private:
  std::span<Ranked> places_;
  std::size_t count_ = 0;
};

}  // namespace broadloom
