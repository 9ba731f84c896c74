// Reads choices from a fuzzer's bytes. At their end, all choices are the first one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace broadloom::fuzz {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool is_at_end() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return value;
  }
  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8U | byte();
    return value;
  }
  // A number from 0 to `end` - 1.
  std::size_t below(std::size_t end) {
    const std::size_t number = end > 256 ? std::size_t{byte()} << 8U | byte() : byte();
    return number % end;
  }
  // Seldom true, and never at the end of the bytes.
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  template <class T, std::size_t count>
  T one_of(const T (&list)[count]) {
    return list[below(count)];
  }
  std::string_view text(std::size_t most) {
    const std::string_view value = left_.substr(0, below(most + 1));
    left_.remove_prefix(value.size());
    return value;
  }

 private:
  std::string_view left_;
};

}  // namespace broadloom::fuzz
