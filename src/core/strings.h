// String tensors: each element is an 8-byte reference into a text that all elements share. So moving strings is
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

// Fills a string tensor element by element. Both sizes must be known before.
class StringWriter {
 public:
  // A dense tensor of `dims` with strings of `text_bytes` bytes of UTF-8 in total (at most 4 GiB - 1).
  static Result<StringWriter> make(const SymbolicDims& dims, std::int64_t text_bytes);

  // Adds the next element, in row-major order. Fails if it is not UTF-8; the error has the element's index.
  Status add(std::string_view string);

  // Returns the tensor. Every element must have been added.
  Tensor finish() { return std::move(tensor_); }

 private:
  explicit StringWriter(Tensor tensor) : tensor_(std::move(tensor)) {}
  Tensor tensor_;
  std::uint32_t next_ = 0;
  std::uint32_t offset_ = 0;
};

// The bytes of one element.
std::string_view string_at(const Tensor& tensor, const StringRef& element);
// Negative if a comes before b, and 0 if they are equal. Elements that share their text are not read.
inline int compare_strings(std::string_view a, std::string_view b) {
  return a.data() == b.data() && a.size() == b.size() ? 0 : a.compare(b);
}
// How many bytes all strings have together: 0 for other types, and without elements. Elements that share their text count each.
double bytes_of_strings(const Tensor& tensor);

// The number of bytes of the first character; 0 if the bytes are not UTF-8 there. `bytes` must not be empty.
std::size_t utf8_length(std::string_view bytes);
// Whether the bytes are well-formed UTF-8 (RFC 3629: shortest forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view bytes);

}  // namespace broadloom
