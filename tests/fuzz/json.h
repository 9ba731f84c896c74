// Whether a text is JSON (RFC 8259).
#pragma once

#include <algorithm>
#include <string_view>

namespace broadloom::fuzz {

class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) : left_(text) {}
  bool is_whole() { return value() && left_.empty(); }

 private:
  bool take(std::string_view word) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  bool value() {
    if (take("{")) return list("}", [&] { return string() && take(":") && value(); });
    if (take("[")) return list("]", [&] { return value(); });
    return string() || take("true") || take("false") || take("null") || number();
  }
  template <class Item>
  bool list(std::string_view end, Item item) {
    if (take(end)) return true;
    while (item()) {
      if (take(end)) return true;
      if (!take(",")) return false;
    }
    return false;
  }
  bool string() {
    if (!take("\"")) return false;
    while (!left_.empty() && left_.front() != '"') {
      const bool is_escape = left_.front() == '\\';
      if (static_cast<unsigned char>(left_.front()) < 0x20) return false;
      left_.remove_prefix(1);
      if (!is_escape) continue;
      if (take("u")) {
        for (int i = 0; i < 4; ++i) {
          if (left_.find_first_of("0123456789abcdefABCDEF") != 0) return false;
          left_.remove_prefix(1);
        }
      } else {
        if (left_.find_first_of("\"\\/bfnrt") != 0) return false;
        left_.remove_prefix(1);
      }
    }
    return take("\"");
  }
  bool digits() {
    const std::size_t count = std::min(left_.find_first_not_of("0123456789"), left_.size());
    left_.remove_prefix(count);
    return count != 0;
  }
  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (!take("e") && !take("E")) return true;
    if (!take("+")) take("-");
    return digits();
  }

  std::string_view left_;
};

inline bool is_json(std::string_view text) { return JsonChecker(text).is_whole(); }

}  // namespace broadloom::fuzz
