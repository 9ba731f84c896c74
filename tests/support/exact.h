// A source that ends where its heap block ends, so that the address sanitizer sees a read beyond it.
#pragma once

#include <cstddef>
#include <vector>

#include "support/canaries.h"

namespace broadloom::test {

// `size` distinct bytes, `misalignment` bytes into the block. Aligned ones begin where the block begins, too: reads before
// them are seen as well.
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
