#include "core/strings.h"

#include <cstring>

#include "core/text.h"

namespace broadloom {

Result<StringWriter> StringWriter::make(const Dims& dims, std::int64_t text_bytes) {
  if (text_bytes > UINT32_MAX) {
    return fail(Code::OutOfMemory, "strings of one tensor have {} bytes; at most 2^32 - 1 are possible", text_bytes);
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

bool is_utf8(std::string_view bytes) {
  const auto* p = reinterpret_cast<const unsigned char*>(bytes.data());
  const unsigned char* end = p + bytes.size();
  while (p < end) {
    const unsigned lead = *p++;
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || end - p < more) return false;
    // The second byte's range excludes overlong forms, surrogates and values above U+10FFFF; later ones are free.
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (*p < low || *p > high) return false;
    for (int i = 1; i < more; ++i) {
      if ((p[i] & 0xC0U) != 0x80U) return false;
    }
    p += more;
  }
  return true;
}

}  // namespace broadloom
