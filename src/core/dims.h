// Sizes of axes, or strides: a list of any length that costs one pointer and is shared when copied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace broadloom {

// Outermost axis first; empty for a scalar. Copies share their values, so only the maker writes them, before the first
// copy is made. (Lists that held six values in themselves made small calls a quarter slower: tensors are moved often.)
class Dims {
 public:
  Dims() = default;
  explicit Dims(std::size_t size, std::int64_t value = 0);
  Dims(std::span<const std::int64_t> values);
  Dims(std::initializer_list<std::int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  Dims(const Dims& other);
  Dims(Dims&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Dims& operator=(Dims other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Dims();

  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }
  std::int64_t operator[](std::size_t i) const { return block_->values()[i]; }
  std::int64_t& operator[](std::size_t i) { return block_->values()[i]; }
  const std::int64_t* data() const { return begin(); }
  const std::int64_t* begin() const { return block_ == nullptr ? nullptr : block_->values(); }
  const std::int64_t* end() const { return begin() + size(); }
  std::span<const std::int64_t> values() const { return {begin(), size()}; }

  friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  struct Block {
    std::uint32_t references;
    std::uint32_t size;
    std::int64_t* values() { return reinterpret_cast<std::int64_t*>(this + 1); }
  };
  static_assert(sizeof(Block) == sizeof(std::int64_t));

  static Block* allocate(std::size_t size);
  Block* block_ = nullptr;
};

}  // namespace broadloom
