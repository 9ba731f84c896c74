#include "core/text.h"

#include <cmath>

#include "core/count.h"
#include "core/decimal.h"

namespace broadloom {
namespace {

constexpr std::size_t longest_name = 120;
constexpr std::size_t longest_dims = 32;

}  // namespace

Part::Part(Kind kind, const void* data, std::int64_t size) : kind_(kind), data_(data), size_(size) {}
Part::Part(Dtype dtype) : Part(info(dtype).name) {}

void Text::add(char character) {
  if (size_ < capacity) data_[size_++] = character;
}

void Text::add(std::string_view string) {
  for (const char character : string) add(character);
}

void Text::add_integer(std::int64_t number) {
  char digits[20];
  std::size_t first = sizeof digits;
  auto rest = static_cast<std::uint64_t>(number);
  if (number < 0) {
    add('-');
    rest = 0 - rest;
  }
  do {
    digits[--first] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  add(std::string_view(digits + first, sizeof digits - first));
}

void Text::add_number(double number, bool is_float32) {
  if (std::isnan(number)) return add("NaN");
  if (std::isinf(number)) return add(number < 0 ? "-Infinity" : "Infinity");
  char digits[longest_number];
  add(std::string_view(digits, write_shortest(digits, number, is_float32)));
}

void Text::add_size(Size size) { size.is_number() ? add_integer(size.number()) : add('?'); }

void Text::add_dims(std::span<const std::int64_t> words, bool are_sizes) {
  add('[');
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) add(", ");
    if (i == longest_dims) {
      add("...");
      break;
    }
    are_sizes ? add_size(Size::of_word(words[i])) : add_integer(words[i]);
  }
  add(']');
}

void Text::add_part(const Part& part) {
  // Numbers stand in the place of the length.
  const std::size_t size = part.data_ == nullptr ? 0 : in_memory(part.size_);
  const std::string_view string(static_cast<const char*>(part.data_), size);
  switch (part.kind_) {
    case Part::Kind::string: return add(string);
    case Part::Kind::quoted:
      add('\'');
      add(clipped(string));
      if (size > longest_name) add("...");
      return add('\'');
    case Part::Kind::dims:
    case Part::Kind::sizes:
      return add_dims({static_cast<const std::int64_t*>(part.data_), size}, part.kind_ == Part::Kind::sizes);
    case Part::Kind::integer: return add_integer(part.size_);
    case Part::Kind::size: return add_size(Size::of_word(part.size_));
    case Part::Kind::number: return add_number(part.number_, false);
    case Part::Kind::float32: return add_number(part.number_, true);
  }
}

// Adds the ending of a noun after a count. All plurals in messages follow this rule.
void Text::add_ending(char singular, bool is_one) {
  if (singular == 's') return is_one ? void() : add('s');
  if (singular == 'y') return add(is_one ? "y" : "ies");
  add(is_one ? singular : 'e');
}

void Text::append_parts(const char* pattern, std::span<const Part> parts) {
  std::size_t next = 0;
  for (; *pattern != '\0'; ++pattern) {
    if (*pattern != '{') {
      add(*pattern);
      continue;
    }
    if (*++pattern == '}') {
      add_part(parts[next++]);
      continue;
    }
    const Part& count = parts[next - 1];
    add_ending(*pattern++, count.size_ == 1);
  }
}

void Text::prepend_parts(const char* pattern, std::span<const Part> parts) {
  const Text rest = *this;
  clear();
  append_parts(pattern, parts);
  add(rest.view());
}

std::string_view clipped(std::string_view name) {
  if (name.size() <= longest_name) return name;
  // Cut between two UTF-8 characters.
  std::size_t length = longest_name;
  while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80U) --length;
  return name.substr(0, length);
}

}  // namespace broadloom
