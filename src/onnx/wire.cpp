#include "onnx/wire.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/count.h"
#include "core/memory.h"
#include "core/strings.h"

namespace broadloom {

using namespace wire_type;

bool read_varint(const char*& position, const char* end, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; position != end && shift < 70; shift += 7) {
    const auto byte = static_cast<unsigned char>(*position++);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

// ---- External spans ----

const ExternalSpan* Source::first_span_from(const char* place) const {
  const auto at = in_memory(place - bytes_.data());
  return std::to_address(
      std::partition_point(spans_.begin(), spans_.end(), [&](const ExternalSpan& span) { return span.at < at; }));
}

std::span<const ExternalSpan> Source::spans_in(std::string_view part) const {
  return {first_span_from(part.data()), first_span_from(part.data() + part.size())};
}

std::size_t Source::offset_of(const char* place) const {
  const auto at = in_memory(place - bytes_.data());
  const ExternalSpan* next = first_span_from(place);
  return next == spans_.data() ? at : next[-1].end() + (at - next[-1].at - 1);
}

// The place that is `length` bytes of the file after `begin`.
const char* Source::behind(const char* begin, std::size_t length) const {
  const std::size_t end = offset_of(begin) + length;
  const ExternalSpan* last = spans_.data() + spans_.size();
  for (const ExternalSpan* span = first_span_from(begin); span != last && span->end() <= end; ++span)
    length -= span->length - 1;
  return begin + length;
}

const ExternalSpan* WireReader::external_span(std::string_view bytes) const {
  const ExternalSpan* span = source_->first_span_from(bytes.data());
  const bool is_one = span != source_->spans_.data() + source_->spans_.size() && &source_->bytes_[span->at] == bytes.data();
  return is_one ? span : nullptr;
}

// ---- Fields ----

WireReader::WireReader(Source& source, const char* name) : WireReader(source, source.bytes_, name, -1) {}

WireReader::WireReader(Source& source, std::string_view message, const char* name, std::int64_t index)
    : source_(&source),
      name_(name),
      index_(index),
      first_{message.data(), message.data() + message.size(), nullptr},
      begin_(first_.begin),
      end_(first_.end),
      position_(begin_),
      start_(begin_) {}

WireReader::WireReader(WireReader& parent, const char* name, std::int64_t index)
    : WireReader(*parent.source_, parent.bytes(), name, index) {
  parent_ = &parent;
  if (index < 0) rest_ = first_.rest = parent.position_;
}

void WireReader::rewind() {
  begin_ = position_ = start_ = first_.begin;
  end_ = first_.end;
  rest_ = first_.rest;
  unread_ = false;
  list_end_ = nullptr;
}

bool WireReader::go_to_next_part() {
  if (rest_ == nullptr) return false;
  WireReader ahead = *parent_;
  ahead.rest_ = nullptr;
  ahead.position_ = rest_;
  ahead.unread_ = false;
  rest_ = nullptr;
  while (ahead.next()) {
    if (ahead.field_ != parent_->field_) continue;
    const std::string_view part = ahead.bytes();
    begin_ = position_ = start_ = part.data();
    end_ = begin_ + part.size();
    rest_ = ahead.position_;
    return ok();
  }
  return false;
}

bool WireReader::next() {
  if (unread_) {
    unread_ = false;
    if (type_ == length_delimited) {
      read_bytes();
    } else {
      read_number(type_);
    }
  }
  while (ok() && position_ == end_ && go_to_next_part()) {
  }
  if (!ok() || position_ == end_) return false;
  // Callers may allocate a record per field with `new`, which must not fail.
  if (Status memory = require_memory(); !memory) fail(memory.error());
  start_ = position_;
  read_number(varint);
  if (ok() && (number_ < 8 || number_ > UINT32_MAX)) fail("{} is not a field number", number_ >> 3U);
  field_ = static_cast<std::uint32_t>(number_ >> 3U);
  type_ = static_cast<std::uint32_t>(number_ & 7U);
  unread_ = true;
  return ok();
}

bool WireReader::expect(std::uint32_t type) {
  unread_ = false;
  if (type_ != type) fail("field {} has wire type {}, wanted {}", field_, type_, type);
  return ok();
}

void WireReader::read_number(std::uint32_t type, const char* end, const char* past_end) {
  number_ = 0;
  if (type == varint) {
    if (read_varint(position_, end, number_)) return;
    fail(position_ == end ? past_end : "a number has more than 10 bytes");
  } else if (type == fixed32 || type == fixed64) {
    const std::size_t size = type == fixed32 ? 4 : 8;
    if (in_memory(end - position_) < size) return fail(past_end);
    std::memcpy(&number_, position_, size);  // wasm and the native targets are little-endian, as the format is
    position_ += size;
  } else {
    fail("wire type {} is not used in ONNX files", type);
  }
}

std::string_view WireReader::read_bytes() {
  read_number(varint);
  const std::size_t left = source_->length(position_, end_);
  if (ok() && number_ > left) {
    const bool is_of_file = parent_ == nullptr && index_ < 0 && end_ == source_->bytes_.data() + source_->bytes_.size();
    fail(is_of_file ? "field {} has {} bytes, but only {} are left: the file is cut off"
                    : "field {} has {} bytes, but only {} are left",
         field_, static_cast<double>(number_), left);
  }
  if (!ok()) return no_bytes();
  const char* begin = position_;
  // If the file changed while it was split, the place may be wrong, but it never lies outside of the message.
  position_ = std::min(source_->behind(begin, in_memory(number_)), end_);
  return {begin, in_memory(position_ - begin)};
}

bool WireReader::next_number(std::uint32_t type) {
  if (unread_) {
    list_end_ = nullptr;
    if (type_ == length_delimited) {
      const std::string_view list = bytes();
      position_ = list.data();
      list_end_ = position_ + list.size();
    } else if (expect(type)) {
      read_number(type);
      return ok();
    }
  }
  if (!ok() || list_end_ == nullptr || position_ >= list_end_) return false;
  read_number(type, list_end_, "a number runs past the end of its list");
  return ok();
}

std::int64_t WireReader::integer() {
  if (expect(varint)) read_number(varint);
  return ok() ? static_cast<std::int64_t>(number_) : 0;
}

float WireReader::float32() {
  if (expect(fixed32)) read_number(fixed32);
  float value = 0;
  if (ok()) std::memcpy(&value, &number_, sizeof value);
  return value;
}

std::string_view WireReader::field_bytes() {
  unread_ = false;
  if (type_ == length_delimited) {
    read_bytes();
  } else {
    read_number(type_);
  }
  return {start_, in_memory(position_ - start_)};
}

std::string_view WireReader::bytes() { return expect(length_delimited) ? read_bytes() : no_bytes(); }

std::string_view WireReader::name() {
  const std::string_view name = bytes();
  if (!is_utf8(name)) {
    fail("a name is not UTF-8");
    return no_bytes();
  }
  // Names are stored, and errors quote them. So a name of megabytes must not exhaust the memory for `new`, and a size_t must be
  // able to count its bits (name_index.cpp).
  constexpr std::size_t usual = 1024;
  if (name.size() > usual) {
    if (Status memory = require_memory(name.size(), 16); !memory) fail(memory.error());
  }
  return name;
}

void WireReader::append_path(Text& path) const {
  if (parent_ != nullptr) parent_->append_path(path);
  if (*name_ == '\0') return;
  path.append(path.empty() ? "{}" : ".{}", name_);
  if (index_ >= 0) path.append("[{}]", index_);
}

void WireReader::fail_with(const char* pattern, std::span<const Part> parts) {
  if (!ok()) return;
  const Error error = format_error(Code::InvalidModel, pattern, parts);
  error->message.prepend("byte {}: ", source_->offset_of(start_));
  fail(error);
}

void WireReader::fail(Error error) {
  if (!ok()) return;
  source_->failed_ = error;
  if (error->code == Code::InvalidArgument) error->code = Code::InvalidModel;
  Text path;
  append_path(path);
  if (!path.empty()) error->message.prepend("{}, ", path.view());
}

}  // namespace broadloom
