#include "frame.h"

#include <cmath>

#include "core/memory.h"
#include "core/text.h"

namespace broadloom {

Page& page() {
  static Page the_page;
  return the_page;
}

Status Page::reserve(std::size_t bytes) {
  const std::size_t size = bytes < kept_bytes ? kept_bytes : bytes;
  const bool too_large = size_ > kept_bytes && size == kept_bytes;
  if (size <= size_ && !too_large) return {};
  auto* data = static_cast<std::byte*>(allocate(size));
  if (data == nullptr) {
    // A page that is too large still serves.
    if (size <= size_) return {};
    return Failure(out_of_memory(static_cast<double>(bytes)));
  }
  release(data_);
  data_ = data;
  size_ = size;
  return {};
}

std::string_view FrameReader::string() {
  const std::size_t size = this->size();
  const std::string_view value(reinterpret_cast<const char*>(at_), size);
  at_ += (size + 7) / 8 * 8;
  return value;
}

std::span<const double> FrameReader::numbers(std::size_t count) {
  const std::span<const double> values(reinterpret_cast<const double*>(at_), count);
  at_ += values.size_bytes();
  return values;
}

std::span<const std::int64_t> FrameReader::bigints(std::size_t count) {
  const std::span<const std::int64_t> values(reinterpret_cast<const std::int64_t*>(at_), count);
  at_ += values.size_bytes();
  return values;
}

Status FrameReader::to_integers(std::string_view what, std::span<const double> values, std::int64_t* to) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != std::trunc(values[i]) || std::abs(values[i]) > static_cast<double>(max_count)) {
      return fail(Code::InvalidArgument, "{}: entry {} is {}, which is no integer below 2^53", what, i, values[i]);
    }
    const auto integer = static_cast<std::int64_t>(values[i]);
    std::memcpy(to + i, &integer, sizeof integer);
  }
  return {};
}

Result<Dims> FrameReader::integers(std::string_view what) {
  const std::span<const double> values = numbers(size());
  constexpr std::size_t usual = 64;
  if (values.size() > usual) BROADLOOM_CHECK(require_memory(values.size_bytes(), 8));
  Dims result(values.size());
  BROADLOOM_CHECK(to_integers(what, values, result.data()));
  return result;
}

Result<std::span<std::int64_t>> FrameReader::integers_in_place(std::string_view what) {
  const std::size_t count = size();
  auto* integers = reinterpret_cast<std::int64_t*>(at_);
  BROADLOOM_CHECK(to_integers(what, numbers(count), integers));
  return std::span(integers, count);
}

Result<FrameWriter> FrameWriter::make(std::size_t bytes) {
  BROADLOOM_CHECK(page().reserve(bytes));
  return FrameWriter();
}

void FrameWriter::string(std::string_view value) {
  number(static_cast<double>(value.size()));
  std::memcpy(at_, value.data(), value.size());
  at_ += (value.size() + 7) / 8 * 8;
}

}  // namespace broadloom
