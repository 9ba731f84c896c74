// Memory at a given misalignment, between bytes that must not be written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace broadloom::test {

class Guarded {
 public:
  Guarded(std::size_t size, std::size_t misalignment)
      : bytes_(size + 2 * margin + 16, canary), size_(size), start_(misalignment) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    start_ += margin + (16 - (address + margin) % 16) % 16;
  }

  std::byte* data() { return bytes_.data() + start_; }
  std::vector<std::byte> written() const {
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(start_);
    return {first, first + static_cast<std::ptrdiff_t>(size_)};
  }
  // Whether all bytes before and after it are unchanged.
  bool intact() const {
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(start_);
    const auto is_canary = [](std::byte byte) { return byte == canary; };
    return std::all_of(bytes_.begin(), first, is_canary) &&
           std::all_of(first + static_cast<std::ptrdiff_t>(size_), bytes_.end(), is_canary);
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr std::byte canary{0xCA};
  std::vector<std::byte> bytes_;
  std::size_t size_;
  std::size_t start_;
};

inline constexpr std::size_t item_sizes[] = {1, 2, 4, 8, 16};
inline constexpr std::size_t misalignments[] = {0, 1, 7};

// 0, and 2^k times 1, 2 and 3, plus and minus 1, up to `largest`: the counts around every vector and every block.
inline std::vector<std::size_t> counts_around_vectors(std::size_t largest) {
  std::vector<std::size_t> counts{0};
  for (std::size_t power = 1; power <= largest; power *= 2) {
    for (std::size_t times = 1; times <= 3; ++times) {
      for (const std::size_t count : {power * times - 1, power * times, power * times + 1}) counts.push_back(count);
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// Bytes that differ from their neighbours at every distance that a kernel might confuse.
inline std::vector<std::byte> distinct_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((i * 151 + i / 256 * 29 + 7) % 251);
  return bytes;
}

}  // namespace broadloom::test
