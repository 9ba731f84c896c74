// Reads protobuf's wire format: bounds-checked, without copies, never past the end.
// Format: protobuf.dev, "Encoding". Groups, which ONNX never had, count as malformed.
//
// A message is read field by field, and as often as is useful:
//
//   for (message.rewind(); message.next();) {
//     if (message.field() == 1) name = message.name();
//     if (message.field() == 2) while (message.next_varint()) use(message.number());
//   }
//
// The first thing that is wrong ends all readers of the file: next() returns false from then on, getters return zeros,
// and Source::error() tells what was wrong and where.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/status.h"
#include "core/tensor.h"

namespace broadloom {

namespace wire_type {
constexpr std::uint32_t varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5;
}

// Reads a varint and moves behind it. False when it goes on at `end`, and when it has more than 10 bytes.
[[gnu::noinline]] bool read_varint(const char*& position, const char* end, std::uint64_t& value);

// The raw_data of a tensor, of which only the first byte stands among the bytes of a Source (split_file.h).
struct Hole {
  std::size_t at = 0;      // where that byte stands
  std::size_t offset = 0;  // in the file
  std::size_t length = 0;
  Tensor bytes;             // uint8; none, where they were left in the file
  std::int64_t origin = 0;  // where bytes that were left are: an offset in the file that was opened

  std::size_t end() const { return offset + length; }
};

// A file, and the first thing that was found wrong in it.
class Source {
 public:
  // The bytes of a file, but for those in holes, which come in its order. Lengths and places are those in the file: readers
  // see no holes.
  explicit Source(std::string_view bytes, std::span<const Hole> holes = {}) : bytes_(bytes), holes_(holes) {}
  // Bytes of the file between two places.
  std::size_t length(const char* begin, const char* end) const { return offset_of(end) - offset_of(begin); }
  std::size_t length(std::string_view part) const { return length(part.data(), part.data() + part.size()); }
  std::size_t size() const { return length(bytes_); }
  // The holes in a part of the bytes.
  std::span<const Hole> holes_in(std::string_view part) const;
  const char* place_of(const Hole& hole) const { return bytes_.data() + hole.at; }
  bool ok() const { return !failed_; }
  // What was wrong, if not ok.
  Error error() const { return {}; }

 private:
  friend class WireReader;
  const Hole* first_hole_from(const char* place) const;
  std::size_t offset_of(const char* place) const;
  const char* behind(const char* begin, std::size_t length) const;

  std::string_view bytes_;
  std::span<const Hole> holes_;
  ErrorFlag failed_;  // once set, the current error is this file's
};

// Its functions stand out of line: readers are many, and inlined they would be a tenth of the wasm module.
class WireReader {
 public:
  // The whole file; `name` is what errors call it, or "".
  [[gnu::noinline]] WireReader(Source& source, const char* name);
  // A message of the file that was found before.
  [[gnu::noinline]] WireReader(Source& source, std::string_view message, const char* name, std::int64_t index);
  // The message in the current field of `parent`, which must outlive this reader. `index` counts a repeated field. One that is
  // not repeated may come in parts, which protobuf merges: the reader goes on with the next part, as long as the parent has
  // not been moved. So the parent is done with the field then.
  [[gnu::noinline]] WireReader(WireReader& parent, const char* name, std::int64_t index = -1);

  [[gnu::noinline]] void rewind();
  // Moves to the next field; false at the end of the message or after an error. A field that is not read is skipped.
  [[gnu::noinline]] bool next();
  std::uint32_t field() const { return field_; }

  // The value of the current field, read once, as the type it has.
  [[gnu::noinline]] std::int64_t integer();
  [[gnu::noinline]] float float32();
  [[gnu::noinline]] std::string_view bytes();
  // The whole current field, with its tag. It counts as read.
  std::string_view field_bytes();
  // The hole that these bytes stand for, or nullptr. What is no hole holds none.
  const Hole* hole(std::string_view bytes) const;
  [[gnu::noinline]] std::string_view name();  // bytes that must be UTF-8
  // The bytes of the message, or of its current part.
  std::string_view whole() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }

  // Steps through the numbers of a repeated field, packed or not; false after the last.
  bool next_varint() { return next_number(0); }
  bool next_fixed32() { return next_number(5); }
  bool next_fixed64() { return next_number(1); }
  std::uint64_t number() const { return number_; }  // for fixed ones, their bits

  bool ok() const { return source_->ok(); }
  Error error() const { return source_->error(); }
  // INVALID_MODEL: `pattern` with its values, the path to this message, and the byte where its current field starts.
  template <class... Values>
  [[gnu::always_inline]] void fail(const char* pattern, const Values&... values) {
    fail_with(pattern, parts_of(values...));
  }
  // An error that something else found, with the path added. A bad argument there is a bad model here.
  void fail(Error error);

 private:
  void fail_with(const char* pattern, std::span<const Part> parts);
  void append_path(Text& path) const;
  bool next_number(std::uint32_t type);
  void read_number(std::uint32_t type);
  std::string_view read_bytes();
  bool expect(std::uint32_t type);
  bool go_to_next_part();
  // An empty string at the end of the message: never a null pointer, whose distance to another would be undefined.
  std::string_view no_bytes() const { return {end_, std::size_t{0}}; }

  // A part of a message, and where the parent's fields go on behind it; nullptr where no parts can follow.
  struct Section {
    const char* begin;
    const char* end;
    const char* rest;
  };

  Source* source_;
  const WireReader* parent_ = nullptr;
  const char* name_;
  std::int64_t index_ = -1;
  Section first_{};
  const char* rest_ = nullptr;
  const char* begin_;
  const char* end_;
  const char* position_;
  const char* start_;               // of the current field
  const char* list_end_ = nullptr;  // of the packed numbers that are being read
  std::uint64_t number_ = 0;
  std::uint32_t field_ = 0;
  std::uint32_t type_ = 0;
  bool unread_ = false;
};

}  // namespace broadloom
