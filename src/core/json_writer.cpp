#include "core/json_writer.h"

#include <cmath>
#include <cstring>

#include "core/decimal.h"
#include "core/strings.h"

namespace broadloom {
namespace {

constexpr std::int64_t largest_number = (std::int64_t{1} << 53) - 1;

}  // namespace

void JsonWriter::begin(char bracket) {
  separate();
  add({&bracket, 1});
  needs_comma_ = false;
}

void JsonWriter::end(char bracket) {
  add({&bracket, 1});
  needs_comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  separate();
  add_string(name);
  add(":");
  needs_comma_ = false;
}

void JsonWriter::value(std::string_view text) {
  separate();
  add_string(text);
}

void JsonWriter::value(std::int64_t integer) {
  const bool is_safe = integer >= -largest_number && integer <= largest_number;
  char digits[Decimal::longest + 1];
  std::size_t size = 0;
  if (integer < 0) digits[size++] = '-';
  const std::uint64_t magnitude = integer < 0 ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer);
  size += Decimal(magnitude).write(digits + size, most_plain_digits);
  is_safe ? literal({digits, size}) : value(std::string_view(digits, size));
}

void JsonWriter::value(double number) { add_number(number, false); }
void JsonWriter::value(float number) { add_number(number, true); }

void JsonWriter::add_number(double number, bool is_float32) {
  if (!std::isfinite(number)) return literal("null");
  char text[longest_number];
  literal({text, write_shortest(text, number, is_float32)});
}

void JsonWriter::literal(std::string_view text) {
  separate();
  add(text);
}

void JsonWriter::separate() {
  if (needs_comma_) add(",");
  needs_comma_ = true;
}

void JsonWriter::add(std::string_view text) {
  // An empty text may have no address, and memcpy must have one.
  if (to_ != nullptr && !text.empty()) std::memcpy(to_ + size_, text.data(), text.size());
  size_ += text.size();
}

void JsonWriter::add_string(std::string_view text) {
  add("\"");
  std::size_t plain = 0;  // the start of the characters that need no escape
  for (std::size_t i = 0; i < text.size();) {
    const auto character = static_cast<unsigned char>(text[i]);
    const bool is_plain = character >= 0x20 && character != '"' && character != '\\';
    const std::size_t length = is_plain ? utf8_length(text.substr(i)) : 0;
    if (length == 0) {
      add(text.substr(plain, i - plain));
      add_escaped(character);
      plain = i + 1;
    }
    i += length == 0 ? 1 : length;
  }
  add(text.substr(plain));
  add("\"");
}

void JsonWriter::add_escaped(unsigned char character) {
  constexpr const char* hexadecimal = "0123456789abcdef";
  if (character >= 0x80) return add("\xEF\xBF\xBD");
  if (character >= 0x20) {
    const char escaped[] = {'\\', static_cast<char>(character)};
    return add({escaped, sizeof escaped});
  }
  const char escaped[] = {'\\', 'u', '0', '0', hexadecimal[character >> 4], hexadecimal[character & 15]};
  add({escaped, sizeof escaped});
}

}  // namespace broadloom
