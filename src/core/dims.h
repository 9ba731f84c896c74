// A list of sizes or strides. Up to eight values need no allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace broadloom {

// The outermost axis comes first. A scalar has an empty list.
class Dims {
 public:
  Dims() {}
  explicit Dims(std::size_t size, std::int64_t value = 0) : Dims(Uninitialised{}, size) {
    std::int64_t* to = data();
    for (std::size_t i = 0; i < size; ++i) to[i] = value;
  }
  Dims(std::span<const std::int64_t> values) : Dims(Uninitialised{}, values.size()) {
    std::int64_t* to = data();
    for (std::size_t i = 0; i < values.size(); ++i) to[i] = values[i];
  }
  Dims(std::initializer_list<std::int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  Dims(const Dims& other) : Dims(other.values()) {}
  Dims(Dims&& other) noexcept { take(other); }
  Dims& operator=(const Dims& other) {
    if (this != &other) *this = Dims(other);
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    if (this != &other) {
      if (!is_inline()) free_heap();
      take(other);
    }
    return *this;
  }
  ~Dims() {
    if (!is_inline()) free_heap();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t operator[](std::size_t i) const { return data()[i]; }
  std::int64_t& operator[](std::size_t i) { return data()[i]; }
  std::int64_t* data() { return data_; }
  const std::int64_t* data() const { return data_; }
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + size_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + size_; }
  std::span<const std::int64_t> values() const { return {data(), size_}; }

  friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  static constexpr std::size_t inline_capacity = 8;
  struct Uninitialised {};

  Dims(Uninitialised, std::size_t size) : size_(size) {
    if (size > inline_capacity) allocate_heap();
  }
  [[gnu::always_inline]] void take(Dims& other) {
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
  std::int64_t* data_ = inline_;  // or on the heap
  std::int64_t inline_[inline_capacity];
};

}  // namespace broadloom
