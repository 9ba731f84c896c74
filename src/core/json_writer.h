// Writes JSON (RFC 8259), for results that JavaScript reads seldom, such as descriptions of models and reports.
//
// Commas are added automatically:
//
//   json.begin_object();
//   json.field("name", node.name);
//   json.list("inputs", node.inputs, [&](const Value* value) { json.value(value->name); });
//   json.end_object();
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace broadloom {

class JsonWriter {
 public:
  // Writes to `to`, which has room for the whole text. Without `to`, it only counts the text's bytes.
  explicit JsonWriter(char* to) : to_(to) {}
  std::uint64_t size() const { return size_; }  // of the text so far

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_list() { begin('['); }
  void end_list() { end(']'); }
  // The next value's name in an object.
  void key(std::string_view name);

  // Text is UTF-8. A byte that does not belong to a character becomes U+FFFD.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool truth) { literal(truth ? "true" : "false"); }
  void value(const void*) = delete;  // would be a bool
  void value(std::nullptr_t) { literal("null"); }
  // An integer of more than 53 bits becomes a string of its digits, because JavaScript would round a number.
  void value(std::int64_t integer);
  void value(std::integral auto integer) { value(static_cast<std::int64_t>(integer)); }
  // The fewest digits that identify the double. NaN and infinities, which JSON lacks, become null.
  void value(double number);
  // The fewest digits that identify the number among float32s: 0.9 and not 0.8999999761581421.
  void value(float number);

  void field(std::string_view name, const auto& of) {
    key(name);
    value(of);
  }
  // A list: calls `write` for each item.
  void list(const auto& items, const auto& write) {
    begin_list();
    for (const auto& item : items) write(item);
    end_list();
  }
  void list(std::string_view name, const auto& items, const auto& write) {
    key(name);
    list(items, write);
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  void literal(std::string_view text);
  void separate();
  void add_number(double number, bool is_float32);
  void add(std::string_view text);
  void add_string(std::string_view text);
  void add_escaped(unsigned char character);

  char* to_;
  std::uint64_t size_ = 0;
  bool needs_comma_ = false;
};

}  // namespace broadloom
