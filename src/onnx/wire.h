// Reads protobuf's wire format with bounds checks and without copies.
// Format: protobuf.dev, "Encoding". Groups count as malformed: ONNX never used them.
//
// A message is read field by field, and may be read more than once:
//
//   for (message.rewind(); message.next();) {
//     if (message.field() == 1) name = message.name();
//     if (message.field() == 2) while (message.next_varint()) use(message.number());
//   }
//
// After the first error, all readers of the file stop: next() returns false, and getters return zeros. Source::error() says
// what is wrong and where.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/count.h"
#include "core/status.h"
#include "core/tensor.h"

namespace broadloom {

namespace wire_type {
constexpr std::uint32_t varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5;
}

// Reads a varint and moves past it. Returns false if it runs past `end` or has more than 10 bytes.
[[gnu::noinline]] bool read_varint(const char*& position, const char* end, std::uint64_t& value);

// The raw_data of a tensor, outside of a Source's bytes (split_file.h). A placeholder byte stands for it there.
struct ExternalSpan {
  std::size_t at = 0;      // of the placeholder, in the Source's bytes
  std::size_t offset = 0;  // in the file
  std::size_t length = 0;
  Tensor bytes;             // uint8; empty if they were left in the opened file or in a chunk
  std::int64_t origin = 0;  // then their offset in that file, or -1 - n for chunk n (simplification.h)

  std::size_t end() const { return offset + length; }
};

// A file, and the first error in it.
class Source {
 public:
  // `bytes` are the bytes of the file outside of `spans`, which are in the file's order. Lengths and offsets count the bytes of
  // spans, too, so a reader works as on the whole file.
  explicit Source(std::string_view bytes, std::span<const ExternalSpan> spans = {}) : bytes_(bytes), spans_(spans) {}
  // The number of the file's bytes between two places.
  std::size_t length(const char* begin, const char* end) const { return offset_of(end) - offset_of(begin); }
  std::size_t length(std::string_view part) const { return length(part.data(), part.data() + part.size()); }
  std::size_t size() const { return length(bytes_); }
  // The spans whose placeholders lie in a part of the bytes.
  std::span<const ExternalSpan> spans_in(std::string_view part) const;
  // The file's bytes outside of spans, its first ones included.
  std::string_view bytes() const { return bytes_; }
  const char* place_of(const ExternalSpan& span) const { return bytes_.data() + span.at; }
  bool ok() const { return !failed_; }
  // Only if !ok().
  Error error() const { return {}; }

 private:
  friend class WireReader;
  const ExternalSpan* first_span_from(const char* place) const;
  std::size_t offset_of(const char* place) const;
  const char* behind(const char* begin, std::size_t length) const;

  std::string_view bytes_;
  std::span<const ExternalSpan> spans_;
  ErrorFlag failed_;  // once set, the current error is this file's
};

// A reader of the fields of a message. Its functions are not inlined: they are used often, and would be a tenth of the wasm
// module.
class WireReader {
 public:
  // Reads the whole file. `name` is its name in errors, or "".
  [[gnu::noinline]] WireReader(Source& source, const char* name);
  // Reads a message of the file that was found before.
  [[gnu::noinline]] WireReader(Source& source, std::string_view message, const char* name, std::int64_t index);
  // Reads the message in the current field of `parent`, which must outlive this reader. `index` counts the messages of a
  // repeated field. A message that is not repeated may come in several parts, which protobuf merges: the reader continues with
  // the next part, as long as the parent has not moved. So the caller needs no loop over the parts.
  [[gnu::noinline]] WireReader(WireReader& parent, const char* name, std::int64_t index = -1);

  [[gnu::noinline]] void rewind();
  // Moves to the next field; false at the end of the message or after an error. A field that is not read is skipped.
  [[gnu::noinline]] bool next();
  std::uint32_t field() const { return field_; }

  // The value of the current field. Each may be read once. Fails if the field has another wire type.
  [[gnu::noinline]] std::int64_t integer();
  [[gnu::noinline]] float float32();
  [[gnu::noinline]] std::string_view bytes();
  // The whole current field, with its tag. It counts as read.
  std::string_view field_bytes();
  // The span whose placeholder these bytes are, or nullptr.
  const ExternalSpan* external_span(std::string_view bytes) const;
  [[gnu::noinline]] std::string_view name();  // bytes that must be UTF-8
  // The bytes of the message, or of its current part.
  std::string_view whole() const { return {begin_, in_memory(end_ - begin_)}; }

  // Move to the next number of a repeated field, packed or not. Return false after the last one.
  bool next_varint() { return next_number(0); }
  bool next_fixed32() { return next_number(5); }
  bool next_fixed64() { return next_number(1); }
  std::uint64_t number() const { return number_; }  // the bits of a fixed32 or fixed64

  bool ok() const { return source_->ok(); }
  Error error() const { return source_->error(); }
  // Fails with INVALID_MODEL: `pattern` with its values, the path to this message, and the offset of its current field.
  template <class... Values>
  [[gnu::always_inline]] void fail(const char* pattern, const Values&... values) {
    fail_with(pattern, parts_of(values...));
  }
  // Fails with another function's error and adds the path. INVALID_ARGUMENT becomes INVALID_MODEL.
  void fail(Error error);

 private:
  void fail_with(const char* pattern, std::span<const Part> parts);
  void append_path(Text& path) const;
  bool next_number(std::uint32_t type);
  void read_number(std::uint32_t type) { read_number(type, end_, "a number runs past the end"); }
  // Fails with `past_end` for a number that ends after `end`.
  void read_number(std::uint32_t type, const char* end, const char* past_end);
  std::string_view read_bytes();
  bool expect(std::uint32_t type);
  bool go_to_next_part();
  // An empty string at the end of the message. Its pointer is not null, so that differences of pointers are defined.
  std::string_view no_bytes() const { return {end_, std::size_t{0}}; }

  // A part of a message, and where the parent's next fields start; nullptr if no parts can follow.
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
  const char* list_end_ = nullptr;  // of the packed numbers in the current field
  std::uint64_t number_ = 0;
  std::uint32_t field_ = 0;
  std::uint32_t type_ = 0;
  bool unread_ = false;
};

}  // namespace broadloom
