// The shared page between JavaScript and the core. Calls pass their arguments and results through one block of memory,
// as a sequence of 8-byte words: numbers as doubles, bigints as 64-bit integers, strings as their length in bytes and
// then the bytes, padded to a whole word. js/src/calls/memory.ts has the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/json_reader.h"
#include "core/tensor.h"

namespace broadloom {

class Page {
 public:
  static constexpr std::size_t kept_bytes = std::size_t{64} * 1024;

  // Makes room for `bytes`; what the page held is gone. The page never gets smaller than kept_bytes, and a larger one is
  // given back by the next call that needs less.
  Status reserve(std::uint64_t bytes) { return bytes <= kept_bytes && size_ == kept_bytes ? Status() : resize(bytes); }
  std::byte* data() { return data_; }

 private:
  [[gnu::cold, gnu::noinline]] Status resize(std::uint64_t bytes);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// The one page of this instance.
Page& page();

// Reads what JavaScript wrote. It wrote a whole frame, so nothing is checked but the values' meaning.
class FrameReader {
 public:
  FrameReader() : at_(page().data()) {}

  double number() { return take<double>(); }
  std::int64_t bigint() { return take<std::int64_t>(); }
  std::size_t size() { return static_cast<std::size_t>(number()); }
  std::uintptr_t handle() { return static_cast<std::uintptr_t>(number()); }
  std::string_view string();
  // A text of JSON, which the reader changes. The next frame overwrites what it read.
  JsonReader json() { return JsonReader(const_cast<char*>(string().data())); }
  // The next `count` numbers, in place.
  std::span<const double> numbers(std::size_t count);
  std::span<const std::int64_t> bigints(std::size_t count);
  // A list of integers, preceded by its length, where it lies on the page: doubles become integers in place. The next
  // frame overwrites them. Fails when one is not an integer; `what` names the list in the error.
  Result<std::span<std::int64_t>> integers(std::string_view what);
  // A list of integers, copied.
  Result<Dims> dims();

 private:
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::byte* at_;
};

// Writes what JavaScript reads.
class FrameWriter {
 public:
  // A frame of at most Page::kept_bytes, which the page always has.
  FrameWriter() : at_(page().data()) {}
  // A frame of at most `bytes`.
  static Result<FrameWriter> make(std::size_t bytes) {
    BROADLOOM_CHECK(page().reserve(bytes));
    return FrameWriter();
  }

  void number(double value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void number(std::int64_t value) { number(static_cast<double>(value)); }
  void pointer(const void* value) { number(static_cast<double>(reinterpret_cast<std::uintptr_t>(value))); }
  void string(std::string_view value);

 private:
  std::byte* at_;
};

}  // namespace broadloom
