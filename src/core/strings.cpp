#include "core/strings.h"

#include <algorithm>
#include <cstring>

#include "core/limits.h"
#include "core/text.h"

namespace broadloom {

Result<StringWriter> StringWriter::make(const SymbolicDims& dims, std::int64_t text_bytes) {
  if (text_bytes > UINT32_MAX) {
    return fail(Code::OutOfMemory, "strings of one tensor have {} bytes; at most 2^32 - 1 are possible", text_bytes);
  }
  if (static_cast<double>(text_bytes) > limits.bytes) {
    return exceeds("bytes", "strings of one tensor have {} bytes, more than {}", text_bytes, limits.bytes);
  }
  BROADLOOM_TRY(tensor, make_tensor(Dtype::string, dims));
  BROADLOOM_TRY(characters, Storage::allocate(text_bytes));
  tensor.storage->text = std::move(characters);
  return StringWriter(std::move(tensor));
}

Status StringWriter::add(std::string_view string) {
  if (!is_utf8(string)) return fail(Code::InvalidArgument, "string {} is not UTF-8", next_);
  const auto length = static_cast<std::uint32_t>(string.size());
  if (length > 0) std::memcpy(tensor_.storage->text->data() + offset_, string.data(), length);
  reinterpret_cast<StringRef*>(tensor_.data())[next_++] = {offset_, length};
  offset_ += length;
  return {};
}

std::string_view string_at(const Tensor& tensor, const StringRef& element) {
  if (element.length == 0) return {};
  return {reinterpret_cast<const char*>(tensor.storage->text->data()) + element.offset, element.length};
}

double bytes_of_strings(const Tensor& tensor) {
  if (tensor.dtype != Dtype::string || !tensor.has_elements() || tensor.count() == 0) return 0;
  const Span span = span_of(tensor.layout);
  const auto* elements = reinterpret_cast<const StringRef*>(tensor.data());
  double bytes = 0;
  for (std::int64_t i = span.lowest; i <= span.highest; ++i) bytes += elements[i].length;
  return bytes * std::max(1.0, static_cast<double>(tensor.count()) / static_cast<double>(span.highest - span.lowest + 1));
}

std::size_t utf8_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF. Later bytes have no such range.
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = utf8_length(bytes.substr(i));
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace broadloom
