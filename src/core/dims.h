// A list of sizes or strides. Up to eight values need no allocation.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "core/checked_index.h"
#include "core/size.h"

namespace broadloom {

// The outermost axis comes first. A scalar has an empty list.
template <class T>
class DimList {
 public:
  DimList() {}
  explicit DimList(std::size_t size, T value = 0) : DimList(Uninitialised{}, size) {
    T* to = data();
    for (std::size_t i = 0; i < size; ++i) to[i] = value;
  }
  // A list whose values are to be set.
  static DimList of_size(std::size_t size) { return DimList(Uninitialised{}, size); }
  DimList(std::span<const T> values) : DimList(Uninitialised{}, values.size()) {
    T* to = data();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
  }
  DimList(std::initializer_list<T> values) : DimList(std::span(values.begin(), values.size())) {}
  // Numbers are sizes.
  template <std::same_as<DimList<std::int64_t>> Numbers>
  requires std::same_as<T, Size> DimList(const Numbers& numbers) : DimList(Uninitialised{}, numbers.size()) {
    T* to = data();
    for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = numbers[i];
  }
  DimList(const DimList& other) : DimList(other.values()) {}
  DimList(DimList&& other) noexcept { take(other); }
  DimList& operator=(const DimList& other) {
    if (this != &other) *this = DimList(other);
    return *this;
  }
  DimList& operator=(DimList&& other) noexcept {
    if (this != &other) {
      if (!is_inline()) free_heap();
      take(other);
    }
    return *this;
  }
  ~DimList() {
    if (!is_inline()) free_heap();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T operator[](std::size_t i) const { return data()[checked_index(i, size_)]; }
  T& operator[](std::size_t i) { return data()[checked_index(i, size_)]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<const T> values() const { return {data(), size_}; }

  friend bool operator==(const DimList& a, const DimList& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  static constexpr std::size_t inline_capacity = 8;
  struct Uninitialised {};

  DimList(Uninitialised, std::size_t size) : size_(size) {
    if (size > inline_capacity) allocate_heap();
  }
  [[gnu::always_inline]] void take(DimList& other) {
    size_ = std::exchange(other.size_, 0);
    if (!other.is_inline()) {
      data_ = std::exchange(other.data_, other.inline_);
      return;
    }
    data_ = inline_;
    // Does not use memcpy, which compilers turn into memory.copy: engines call a function for that.
    for (std::size_t i = 0; i < size_; ++i) inline_[i] = other.inline_[i];
  }
  bool is_inline() const { return data_ == inline_; }
  [[gnu::cold, gnu::noinline]] void allocate_heap();
  [[gnu::cold, gnu::noinline]] void free_heap();

  std::size_t size_ = 0;
  T* data_ = inline_;  // or on the heap
  T inline_[inline_capacity];
};

// Numbers alone: strides, and the dims of tensors in a run.
using Dims = DimList<std::int64_t>;

// The dims that rules read and write. Before a run, sizes may be symbolic.
using SymbolicDims = DimList<Size>;

// Whether all sizes are numbers.
bool are_numbers(std::span<const Size> dims);

// A view of numbers as sizes. It copies nothing.
inline std::span<const Size> sizes_of(std::span<const std::int64_t> numbers) {
  static_assert(sizeof(Size) == sizeof(std::int64_t) && std::is_standard_layout_v<Size>);
  return {reinterpret_cast<const Size*>(numbers.data()), numbers.size()};
}

// A view of sizes as numbers. It copies nothing; all sizes must be numbers.
inline std::span<const std::int64_t> numbers_of(std::span<const Size> dims) {
  assert(are_numbers(dims));
  return {reinterpret_cast<const std::int64_t*>(dims.data()), dims.size()};
}

}  // namespace broadloom
