#include "core/json_reader.h"

#include "core/count.h"

namespace broadloom {

void JsonReader::begin() {
  ++at_;
  is_first_ = true;
}

bool JsonReader::next() {
  const bool is_first = is_first_;
  is_first_ = false;
  if (*at_ != ']' && *at_ != '}') {
    if (!is_first) ++at_;  // a comma
    return true;
  }
  ++at_;
  return false;
}

std::size_t JsonReader::count() const {
  std::size_t count = at_[1] == ']' ? 0 : 1;
  std::size_t depth = 0;
  for (const char* at = at_;; ++at) {
    if (*at == '"') {
      while (*++at != '"') at += *at == '\\' ? 1 : 0;
    } else if (*at == '[' || *at == '{') {
      ++depth;
    } else if (*at == ']' || *at == '}') {
      if (--depth == 0) return count;
    } else if (*at == ',' && depth == 1) {
      ++count;
    }
  }
}

std::string_view JsonReader::key() {
  const std::string_view name = text();
  ++at_;  // a colon
  return name;
}

namespace {

// JSON.stringify writes control characters in four digits, and the first two are 0: what it is given has no half of a pair of
// UTF-16.
char character_of(const char* digits) {
  int code = 0;
  for (const char digit : std::string_view(digits + 2, 2)) code = code * 16 + (digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return static_cast<char>(code);
}

char control_of(char letter) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view controls = "\b\f\n\r\t";
  const std::size_t i = letters.find(letter);
  return i == std::string_view::npos ? letter : controls[i];
}

}  // namespace

// An escape is longer than its character, so the text is written where it lies.
std::string_view JsonReader::text() {
  char* const start = ++at_;
  char* to = start;
  while (*at_ != '"') {
    if (*at_ != '\\') {
      *to++ = *at_++;
    } else if (at_[1] == 'u') {
      *to++ = character_of(at_ + 2);
      at_ += 6;
    } else {
      *to++ = control_of(at_[1]);
      at_ += 2;
    }
  }
  ++at_;
  return {start, in_memory(to - start)};
}

std::int64_t JsonReader::integer() {
  const bool is_negative = *at_ == '-';
  at_ += is_negative ? 1 : 0;
  std::int64_t value = 0;
  while (*at_ >= '0' && *at_ <= '9') value = value * 10 + (*at_++ - '0');
  return is_negative ? -value : value;
}

bool JsonReader::truth() {
  const bool is_true = *at_ == 't';
  at_ += is_true ? 4 : 5;
  return is_true;
}

}  // namespace broadloom
