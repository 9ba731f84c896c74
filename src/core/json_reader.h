// Reads JSON (RFC 8259) that the package's JavaScript wrote with JSON.stringify, for requests that are rare. The text is
// well-formed: readers check values alone. Numbers are integers.
//
//   for (json.begin(); json.next();) {
//     if (json.key() == "sizes") ...
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace broadloom {

class JsonReader {
 public:
  // Texts that are read lie in `text`, which changes.
  explicit JsonReader(char* text) : at_(text) {}

  // Goes into the list or the object that is the next value. `next` tells whether it has another item, and goes out after the
  // last.
  void begin();
  bool next();
  // How many items the list has that is the next value.
  std::size_t count() const;

  // The name of a member: its value is the next one.
  std::string_view key();
  std::string_view text();
  std::int64_t integer();
  bool truth();
  void null() { at_ += 4; }
  bool is_text() const { return *at_ == '"'; }
  bool is_null() const { return *at_ == 'n'; }

 private:
  char* at_;
  bool is_first_ = false;  // whether `begin` was the last call
};

}  // namespace broadloom
