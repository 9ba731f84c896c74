// A vector with inline room for `Capacity` values, so that the few element types of a usual call need no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include "core/checked_index.h"

namespace broadloom {

template <class T, std::size_t Capacity>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineVector() = default;
  // `size` values, all `value`.
  explicit InlineVector(std::size_t size, T value = T{}) : InlineVector(Uninitialised{}, size) {
    T* to = data();
    for (std::size_t i = 0; i < size; ++i) to[i] = value;
  }
  // A vector whose values are to be set.
  static InlineVector of_size(std::size_t size) { return InlineVector(Uninitialised{}, size); }
  InlineVector(std::span<const T> values) : InlineVector(Uninitialised{}, values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  InlineVector(std::initializer_list<T> values) : InlineVector(std::span<const T>(values.begin(), values.size())) {}
  InlineVector(const InlineVector& other) : InlineVector(other.values()) {}
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) {
      InlineVector copy(other);
      free_heap();
      take(copy);
    }
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) {
      free_heap();
      take(other);
    }
    return *this;
  }
  ~InlineVector() { free_heap(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[checked_index(i, size_)]; }
  const T& operator[](std::size_t i) const { return data()[checked_index(i, size_)]; }
  T& back() { return data()[checked_index(size_ - 1, size_)]; }
  std::span<const T> values() const { return {data(), size_}; }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Uninitialised {};
  InlineVector(Uninitialised, std::size_t size) : size_(size) {
    if (size > Capacity) data_ = new T[size];
  }
  void free_heap() {
    if (data_ != inline_) delete[] std::exchange(data_, inline_);
  }
  void take(InlineVector& other) {
    size_ = std::exchange(other.size_, 0);
    if (other.data_ != other.inline_) {
      data_ = std::exchange(other.data_, other.inline_);
    } else {
      std::copy_n(other.inline_, size_, inline_);
    }
  }

  std::size_t size_ = 0;
  T* data_ = inline_;  // or on the heap
  T inline_[Capacity];
};

}  // namespace broadloom
