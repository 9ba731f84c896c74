#include "frame.h"

#include <cmath>

#include "core/text.h"

namespace broadloom {

Page& page() {
  static Page the_page;
  return the_page;
}

Status Page::resize(std::uint64_t bytes) {
  const std::uint64_t size = bytes < kept_bytes ? kept_bytes : bytes;
  const bool too_large = size_ > kept_bytes && size == kept_bytes;
  if (size <= size_ && !too_large) return {};
  auto* const data = static_cast<std::byte*>(allocate(size));
  if (data == nullptr) {
    // A page that is too large still serves.
    if (size <= size_) return {};
    return Failure(out_of_memory(bytes));
  }
  release(data_);
  data_ = data;
  size_ = static_cast<std::size_t>(size);
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

Result<std::span<std::int64_t>> FrameReader::integers(std::string_view what) {
  const std::span<const double> values = numbers(size());
  auto* integers = reinterpret_cast<std::int64_t*>(at_) - values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const bool is_small = std::abs(value) <= static_cast<double>(max_count);
    const std::int64_t integer = is_small ? static_cast<std::int64_t>(value) : 0;
    if (!is_small || static_cast<double>(integer) != value) {
      return fail(Code::InvalidArgument, "{}: entry {} is {}, which is not an integer below 2^53", what, i, value);
    }
    std::memcpy(integers + i, &integer, sizeof integer);
  }
  return std::span(integers, values.size());
}

Result<Dims> FrameReader::dims() {
  BROADLOOM_TRY(values, integers("dims"));
  BROADLOOM_CHECK(check_rank(values.size()));
  return Result<Dims>(tl::in_place, std::span<const std::int64_t>(values));
}

void FrameWriter::string(std::string_view value) {
  number(static_cast<double>(value.size()));
  if (!value.empty()) std::memcpy(at_, value.data(), value.size());
  at_ += (value.size() + 7) / 8 * 8;
}

}  // namespace broadloom
