// Writes protobuf's wire format from the end of the file to its start: the length of a message comes before its content, and is
// known only once the content is written. Format: protobuf.dev, "Encoding".
//
//   const std::int64_t end = to.size();
//   to.number(2, opset);
//   to.message(8, end);  // field 8 is a message with all that was written since `end`
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "onnx/wire.h"

namespace broadloom {

// The name of a value: `name`, or `name_0` with the number 0.
struct ValueName {
  std::string_view name;
  int number = -1;  // -1: none
};

class WireWriter {
 public:
  // Writes the bytes before `end`. If `end` is nullptr, only counts them.
  explicit WireWriter(std::byte* end) : end_(end) {}

  bool is_counting() const { return end_ == nullptr; }
  std::int64_t size() const { return size_; }
  // The number of bytes written: one for each span.
  std::int64_t written_bytes() const { return size_ - outside_; }
  // Writes the placeholder of a span, and adds the span to `spans`, with `at` and `offset` counted from the end.
  void add_span(const ExternalSpan& span, std::vector<ExternalSpan>& spans);
  // Sets an error. The file must not be used then.
  void fail(Error error) { failed_ = error; }
  bool ok() const { return !failed_; }

  void bytes(const void* data, std::int64_t size);
  void number(std::uint32_t field, std::int64_t value);
  void float32(std::uint32_t field, float value);
  void name(std::uint32_t field, const ValueName& name);  // or any string
  void message(std::uint32_t field, std::int64_t end);

 private:
  void varint(std::uint64_t value);

  std::byte* end_;
  std::int64_t size_ = 0;  // of the file; may be larger than memory
  std::int64_t outside_ = 0;
  ErrorFlag failed_;
};

using WriteFile = void(WireWriter& to, const void* what);

// Returns the bytes that `write` writes, as a dense uint8 tensor of one axis. Calls it twice: to count, then to write.
Result<Tensor> write_file(WriteFile* write, const void* what);

template <class Write>
Result<Tensor> write_file(const Write& write) {
  return write_file([](WireWriter& to, const void* what) { (*static_cast<const Write*>(what))(to); }, &write);
}

}  // namespace broadloom
