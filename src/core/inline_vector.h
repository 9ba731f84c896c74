// A vector that holds its first `Capacity` values in itself: the usual few element types of a call need no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

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
  InlineVector(std::span<const T> values) : InlineVector(Uninitialised{}, values.size()) {
    std::copy(values.begin(), values.end(), data());
  }
  InlineVector(std::initializer_list<T> values) : InlineVector(std::span<const T>(values.begin(), values.size())) {}
  InlineVector(const InlineVector& other) : InlineVector(other.values()) {}
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) {
      InlineVector copy(other);
      take(copy);
    }
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return heap_ ? heap_.get() : inline_; }
  const T* data() const { return heap_ ? heap_.get() : inline_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  std::span<const T> values() const { return {data(), size_}; }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Uninitialised {};
  InlineVector(Uninitialised, std::size_t size) : size_(size) {
    if (size > Capacity) heap_.reset(new T[size]);
  }
  void take(InlineVector& other) {
    size_ = other.size_;
    heap_ = std::move(other.heap_);
    if (!heap_) std::copy_n(other.inline_, size_, inline_);
    other.size_ = 0;
  }

  std::size_t size_ = 0;
  std::unique_ptr<T[]> heap_;
  T inline_[Capacity];
};

}  // namespace broadloom
