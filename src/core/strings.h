// String tensors: each element is an 8-byte reference into a text that all elements share, so that moving strings is
// moving 8-byte items.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/tensor.h"

namespace broadloom {

// One element. All bits zero is the empty string.
struct StringRef {
  std::uint32_t offset;
  std::uint32_t length;
};
static_assert(sizeof(StringRef) == 8);

// Fills a string tensor element by element; both sizes are known beforehand.
class StringWriter {
 public:
  // A dense tensor of `dims` whose strings have `text_bytes` bytes of UTF-8 in all (at most 4 GiB - 1).
  static Result<StringWriter> make(const Dims& dims, std::int64_t text_bytes);

  // The next element, in row-major order. Fails when it is not UTF-8, naming the element.
  Status add(std::string_view string);

  // The tensor; every element must have been added.
  Tensor finish() { return std::move(tensor_); }

 private:
  explicit StringWriter(Tensor tensor) : tensor_(std::move(tensor)) {}
  Tensor tensor_;
  std::uint32_t next_ = 0;
  std::uint32_t offset_ = 0;
};

// The bytes of one element.
std::string_view string_at(const Tensor& tensor, const StringRef& element);

// How many bytes the first character of `bytes` has, which are not empty; 0 when none starts there.
std::size_t utf8_length(std::string_view bytes);
// Whether the bytes are well-formed UTF-8 (RFC 3629: shortest forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view bytes);

}  // namespace broadloom
