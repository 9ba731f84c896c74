#include "onnx/wire_writer.h"

#include <cstring>

#include "core/count.h"

namespace broadloom {
namespace {

std::uint64_t tag(std::uint32_t field, std::uint32_t type) { return std::uint64_t{field} << 3U | type; }

}  // namespace

void WireWriter::bytes(const void* data, std::int64_t size) {
  size_ += size;
  if (!is_counting() && size > 0) std::memcpy(end_ - written_bytes(), data, in_memory(size));
}

void WireWriter::add_span(const ExternalSpan& span, std::vector<ExternalSpan>& spans) {
  const std::byte nothing{0};
  bytes(&nothing, 1);
  const auto outside = static_cast<std::int64_t>(span.length) - 1;
  size_ += outside;
  outside_ += outside;
  if (is_counting()) return;
  spans.push_back(span);
  spans.back().at = in_memory(written_bytes());
  spans.back().offset = in_memory(size_);
}

void WireWriter::varint(std::uint64_t value) {
  std::uint8_t groups[10];
  std::int64_t count = 0;
  for (; value >= 0x80; value >>= 7U) groups[count++] = static_cast<std::uint8_t>(value | 0x80U);
  groups[count++] = static_cast<std::uint8_t>(value);
  bytes(groups, count);
}

void WireWriter::number(std::uint32_t field, std::int64_t value) {
  varint(static_cast<std::uint64_t>(value));
  varint(tag(field, wire_type::varint));
}

void WireWriter::float32(std::uint32_t field, float value) {
  bytes(&value, sizeof value);
  varint(tag(field, wire_type::fixed32));
}

void WireWriter::message(std::uint32_t field, std::int64_t end) {
  varint(static_cast<std::uint64_t>(size_ - end));
  varint(tag(field, wire_type::length_delimited));
}

void WireWriter::name(std::uint32_t field, const ValueName& name) {
  const std::int64_t end = size_;
  if (name.number >= 0) {
    int rest = name.number;
    do {
      const char digit = static_cast<char>('0' + rest % 10);
      bytes(&digit, 1);
      rest /= 10;
    } while (rest > 0);
    bytes("_", 1);
  }
  bytes(name.name.data(), static_cast<std::int64_t>(name.name.size()));
  message(field, end);
}

Result<Tensor> write_file(WriteFile* write, const void* what) {
  WireWriter counter(nullptr);
  write(counter, what);
  if (!counter.ok()) return Failure(Error());
  BROADLOOM_TRY(file, make_tensor(Dtype::uint8, {counter.size()}));
  WireWriter writer(file.data() + counter.size());
  write(writer, what);
  if (!writer.ok()) return Failure(Error());
  return std::move(file);
}

}  // namespace broadloom
