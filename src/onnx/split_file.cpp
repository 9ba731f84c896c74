#include "onnx/split_file.h"

#include <algorithm>

#include "core/count.h"

namespace broadloom {
namespace {

struct Way {
  Message from;
  std::uint8_t field;
  Message to;
};
// The fields that the reader uses. Large raw_data elsewhere stays in the structure.
constexpr std::array<Way, 14> ways{{{Message::model, 7, Message::graph},
                                    {Message::model, 25, Message::function},
                                    {Message::graph, 1, Message::node},
                                    {Message::graph, 5, Message::tensor},
                                    {Message::graph, 15, Message::sparse_tensor},
                                    {Message::function, 7, Message::node},
                                    {Message::function, 11, Message::attribute},
                                    {Message::node, 5, Message::attribute},
                                    {Message::attribute, 5, Message::tensor},
                                    {Message::attribute, 6, Message::graph},
                                    {Message::attribute, 22, Message::sparse_tensor},
                                    {Message::sparse_tensor, 1, Message::tensor},
                                    {Message::sparse_tensor, 2, Message::tensor},
                                    {Message::tensor, 9, Message::raw_data}}};

Message message_in(Message message, std::uint64_t field) {
  for (const Way& way : ways) {
    if (way.from == message && way.field == field) return way.to;
  }
  return Message::other;
}

constexpr std::size_t most_header_bytes = 20;  // two varints

}  // namespace

SplitFile::SplitFile(Message root, std::size_t size, std::size_t min_span)
    : size_(size), min_span_(min_span), spans_(new ExternalSpan[size / min_span]) {
  if (size >= min_span) open_[depth_++] = {root, size};
}

SplitFile::~SplitFile() { release(bytes_); }

Status SplitFile::next() {
  if (look()) return {};
  if (bytes_ == nullptr) {
    at_ = 0;
    // Bytes that are left in the file take no memory.
    const GrowthAhead ahead(leaves_in_file_ ? 0 : outside_);
    // One extra byte, so that the pointer is never null.
    const std::size_t bytes = structure_bytes();
    bytes_ = bytes < SIZE_MAX ? static_cast<std::byte*>(allocate(bytes + 1)) : nullptr;
    if (bytes_ == nullptr) return Failure(out_of_memory(bytes));
  }
  return fill();
}

// Skips fields, and enters messages that are large enough to contain a span. Returns false if no window is wanted.
bool SplitFile::look() {
  while (depth_ != 0) {
    const Open message = open_[depth_ - 1];
    if (at_ == message.end) {
      --depth_;
      continue;
    }
    const std::size_t behind = at_ - wanted_.offset;
    if (behind < wanted_.length) {
      const std::size_t left = std::min(wanted_.length - behind, message.end - at_);
      const char* start = reinterpret_cast<const char*>(window_) + behind;
      const char* position = start;
      std::uint64_t tag = 0;
      std::uint64_t size = 0;
      bool is_whole = read_varint(position, start + left, tag);
      const auto type = static_cast<std::uint32_t>(tag & 7U);
      if (type == wire_type::varint || type == wire_type::length_delimited) {
        is_whole = is_whole && read_varint(position, start + left, size);
        if (type == wire_type::varint) size = 0;
      } else {
        size = type == wire_type::fixed32 ? 4 : 8;
        is_whole = is_whole && (type == wire_type::fixed32 || type == wire_type::fixed64);
      }
      const std::size_t begin = at_ + in_memory(position - start);
      if (is_whole && size <= message.end - begin) {
        at_ = begin + in_memory(size);
        if (type == wire_type::length_delimited && size >= min_span_) enter(message_in(message.message, tag >> 3U), begin);
        continue;
      }
      if (is_whole || left >= most_header_bytes || left == message.end - at_) {
        at_ = message.end;  // malformed from here on
        continue;
      }
    }
    wanted_ = {window_, at_, std::min(min_span_, size_ - at_)};
    return true;
  }
  return false;
}

// Adds a span for raw_data, or opens a message, which lies from `begin` to at_.
void SplitFile::enter(Message message, std::size_t begin) {
  if (message == Message::raw_data) {
    ExternalSpan& span = spans_[count_++];
    span.at = begin - outside_;
    span.offset = begin;
    span.length = at_ - begin;
    outside_ += span.length - 1;
  } else if (message == Message::sparse_tensor && leaves_in_file_) {
    // The reader needs all of its elements, so they stay in the structure.
  } else if (message != Message::other && depth_ < open_.size()) {
    open_[depth_++] = {message, at_};
    at_ = begin;
  }
}

// Wants the next part: the structure up to and including the placeholder of the next span, then the bytes of that span.
Status SplitFile::fill() {
  for (; leaves_in_file_ && filled_ < count_ && at_ > spans_[filled_].offset; ++filled_) {
    at_ = spans_[filled_].end();
    spans_[filled_].origin = static_cast<std::int64_t>(spans_[filled_].offset);
  }
  ExternalSpan* span = filled_ == count_ ? nullptr : &spans_[filled_];
  if (span == nullptr || at_ <= span->offset) {
    const std::size_t end = span == nullptr ? size_ : span->offset + 1;
    wanted_ = {bytes_ + inside_, at_, end - at_};
    inside_ += end - at_;
    at_ = end;
    return {};
  }
  at_ = span->end();
  ++filled_;
  const GrowthAhead ahead(size_ - at_);
  BROADLOOM_TRY(bytes, make_tensor(Dtype::uint8, {static_cast<std::int64_t>(span->length)}));
  span->bytes = std::move(bytes);
  wanted_ = {span->bytes.data(), span->offset, span->length};
  return {};
}

}  // namespace broadloom
