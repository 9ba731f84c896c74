// Builds the texts of error messages in static memory, because an error needs a message when memory has run out.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/dtype.h"
#include "core/size.h"

namespace broadloom {

// A name from a user's file or call. It is printed in quotes, and cut if it is long.
struct Quoted {
  std::string_view name;
};
inline Quoted quoted(std::string_view name) { return {name}; }

// The beginning of a long name.
std::string_view clipped(std::string_view name);

// A value in a text.
class Part {
 public:
  Part(const char* string) : Part(std::string_view(string)) {}
  Part(std::string_view string) : Part(Kind::string, string.data(), static_cast<std::int64_t>(string.size())) {}
  Part(Quoted quoted) : Part(Kind::quoted, quoted.name.data(), static_cast<std::int64_t>(quoted.name.size())) {}
  [[gnu::cold, gnu::noinline]] Part(Dtype dtype);
  // Dims: [2, 3, 4]; long lists are cut.
  Part(std::span<const std::int64_t> dims) : Part(Kind::dims, dims.data(), static_cast<std::int64_t>(dims.size())) {}
  Part(std::span<const Size> dims) : Part(Kind::sizes, dims.data(), static_cast<std::int64_t>(dims.size())) {}
  Part(Size size) : Part(Kind::size, nullptr, size.word()) {}
  template <std::integral Integer>
  Part(Integer integer) : Part(Kind::integer, nullptr, static_cast<std::int64_t>(integer)) {}
  // With the fewest digits that identify the number.
  Part(double number) : kind_(Kind::number), number_(number) {}
  Part(float number) : kind_(Kind::float32), number_(static_cast<double>(number)) {}

  enum class Kind : std::uint8_t { string, quoted, dims, sizes, integer, size, number, float32 };

 private:
  friend class Text;
  // Not inlined: texts have many parts, and only errors have texts.
  [[gnu::cold, gnu::noinline]] Part(Kind kind, const void* data, std::int64_t size);

  Kind kind_;
  const void* data_ = nullptr;
  union {
    std::int64_t size_ = 0;
    double number_;
  };
};

// The parts of a call, for functions that format without inlining: there are many error texts, and inlined formatting
// would be the largest part of the wasm module.
template <std::size_t size>
struct PartList {
  Part parts[size];
  operator std::span<const Part>() const { return parts; }
};
template <>
struct PartList<0> {
  operator std::span<const Part>() const { return {}; }
};
template <class... Values>
[[gnu::always_inline]] inline PartList<sizeof...(Values)> parts_of(const Values&... values) {
  return {Part(values)...};
}

// A text of at most `capacity` bytes. Longer texts are cut.
class Text {
 public:
  static constexpr std::size_t capacity = 2048;

  std::string_view view() const { return {data_, size_}; }
  bool empty() const { return size_ == 0; }
  bool is_full() const { return size_ == capacity; }
  void clear() { size_ = 0; }

  // Adds `pattern` with each {} replaced by the next value. After a count, {s}, {y} and {i} are the endings of a noun: "{}
  // size{s}", "{} entr{y}" (entry, entries), "{} ax{i}s" (axis, axes).
  template <class... Values>
  [[gnu::always_inline]] void append(const char* pattern, const Values&... values) {
    append_parts(pattern, parts_of(values...));
  }
  void append_parts(const char* pattern, std::span<const Part> parts);
  template <class... Values>
  [[gnu::always_inline]] void prepend(const char* pattern, const Values&... values) {
    prepend_parts(pattern, parts_of(values...));
  }
  void prepend_parts(const char* pattern, std::span<const Part> parts);

 private:
  void add(char character);
  void add(std::string_view string);
  void add_part(const Part& part);
  void add_integer(std::int64_t number);
  void add_number(double number, bool is_float32);
  void add_ending(char singular, bool is_one);
  void add_size(Size size);
  void add_dims(std::span<const std::int64_t> words, bool are_sizes);

  std::size_t size_ = 0;
  char data_[capacity] = {};
};

}  // namespace broadloom
