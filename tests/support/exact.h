// A source that ends at the end of its heap block, so that the address sanitizer detects a read past it.
#pragma once

#include <cstddef>
#include <vector>

#include "support/canaries.h"

namespace broadloom::test {

// `size` distinct bytes, `misalignment` bytes into the block. Without misalignment they begin at the block's start, so that
// reads before them are detected, too.
class Exact {
 public:
  explicit Exact(std::size_t size, std::size_t misalignment = 0) : bytes_(distinct_bytes(size)), start_(misalignment) {
    bytes_.insert(bytes_.begin(), misalignment, std::byte{0xEE});
    bytes_ = std::vector<std::byte>(bytes_);  // without spare capacity
  }

  const std::byte* data() const { return bytes_.data() + start_; }
  const std::byte* end() const { return bytes_.data() + bytes_.size(); }
  std::size_t size() const { return bytes_.size() - start_; }
  const std::byte& operator[](std::size_t i) const { return bytes_[start_ + i]; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t start_;
};

}  // namespace broadloom::test
