// Splits a file into its large raw_data (external spans) and the rest (its structure). Each raw_data is read directly to the
// storage of its tensor, so that the heap never holds weights twice. A Source reads the structure and the spans.
//
// The caller copies the wanted parts of the file:
//
//   while (file.next() && file.wanted().length != 0) copy `length` bytes of the file from `offset` on to `to`
//
// First, the parts are short windows at increasing offsets: they find large raw_data by the lengths of messages alone. Then
// each part of the structure and each raw_data is wanted once. Malformed bytes stay in the structure, and the reader reports
// them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "onnx/wire.h"

namespace broadloom {

// The messages of onnx.proto that lead to raw_data.
enum class Message : std::uint8_t { other, model, graph, function, node, attribute, sparse_tensor, tensor, raw_data };

class SplitFile {
 public:
  // Smaller raw_data stays in the structure. Smaller files are not searched.
  static constexpr std::size_t default_min_span = std::size_t{16} * 1024;

  // Splits a file of `size` bytes that holds a `root`. Windows have `min_span` bytes, from 20 to `default_min_span`. The caller
  // must have reserved memory for size / min_span ExternalSpans.
  SplitFile(Message root, std::size_t size, std::size_t min_span = default_min_span);
  // Leaves the bytes of spans in the file: spans get an origin instead of bytes. Must precede the first next().
  void leave_in_file() { leaves_in_file_ = true; }
  SplitFile(const SplitFile&) = delete;
  SplitFile& operator=(const SplitFile&) = delete;
  ~SplitFile();

  struct Part {
    std::byte* to;
    std::size_t offset;
    std::size_t length;
  };
  // Moves to the next part, after the caller copied the current one. Fails if memory runs out.
  Status next();
  const Part& wanted() const { return wanted_; }
  // Whether the wanted part is a window.
  bool is_looking() const { return depth_ != 0; }
  // The number of large raw_data found so far.
  std::size_t span_count() const { return count_; }

  // The bytes of the structure, including the placeholders of spans.
  std::size_t structure_bytes() const { return size_ - outside_; }
  std::size_t size() const { return size_; }
  // The complete file, once no part is wanted. It must not outlive this object.
  Source source() const { return Source({reinterpret_cast<const char*>(bytes_), structure_bytes()}, {spans_.get(), count_}); }

 private:
  // A message that is being searched.
  struct Open {
    Message message;
    std::size_t end;
  };

  bool look();
  void enter(Message message, std::size_t begin);
  Status fill();

  std::size_t size_;
  std::size_t min_span_;
  bool leaves_in_file_ = false;
  Part wanted_{};
  std::size_t at_ = 0;                     // offset in the file: of the next field, later of the next part
  std::unique_ptr<ExternalSpan[]> spans_;  // room for the most spans that the file can have
  std::size_t count_ = 0;                  // of spans
  std::size_t outside_ = 0;                // bytes of the file that are not in the structure
  std::byte* bytes_ = nullptr;             // the structure
  std::size_t inside_ = 0;                 // bytes of the structure that were wanted so far
  std::size_t filled_ = 0;                 // spans whose bytes were wanted so far
  // Nested open messages. Deeper ones are not searched: the reader allows fewer.
  std::size_t depth_ = 0;
  std::array<Open, 128> open_;
  std::byte window_[default_min_span];
};

}  // namespace broadloom
