// Writes protobuf's wire format, from the end of the file to its start: the length of a message, which stands before it,
// is known once its content is written. Format: protobuf.dev, "Encoding".
//
//   const std::int64_t end = to.size();
//   to.number(2, opset);
//   to.message(8, end);  // the message in field 8 has what was written since
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "onnx/wire.h"

namespace broadloom {

// The name of a value: `name`, or with a number `name_0`.
struct ValueName {
  std::string_view name;
  int number = -1;  // -1: none
};

class WireWriter {
 public:
  // Writes up to `end`; if that is nullptr, only counts.
  explicit WireWriter(std::byte* end) : end_(end) {}

  bool is_counting() const { return end_ == nullptr; }
  std::int64_t size() const { return size_; }
  // Bytes that were written: of a hole, one is.
  std::int64_t written_bytes() const { return size_ - outside_; }
  // Writes the byte that stands for a hole, and remembers the hole, whose `at` and `offset` are counted from the end.
  void hole(const Hole& hole, std::vector<Hole>& holes);
  // An error that something found in one of the passes: the file is not to be used.
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
  std::int64_t size_ = 0;  // of all that was written; may be more than fits in memory
  std::int64_t outside_ = 0;
  ErrorFlag failed_;
};

using WriteFile = void(WireWriter& to, const void* what);

// What `write` writes, as a dense uint8 tensor of one axis. It is called twice: to count the bytes, and to write them.
Result<Tensor> write_file(WriteFile* write, const void* what);

template <class Write>
Result<Tensor> write_file(const Write& write) {
  return write_file([](WireWriter& to, const void* what) { (*static_cast<const Write*>(what))(to); }, &write);
}

}  // namespace broadloom
