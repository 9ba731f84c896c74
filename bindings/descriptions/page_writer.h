// Writes results of any size to the page (frame.h), for calls that are made seldom: first the bytes are counted.
#pragma once

#include "frame.h"

namespace broadloom {

class PageWriter {
 public:
  // Without a page, it counts.
  explicit PageWriter(std::byte* at) : at_(at) {}

  void number(double value);
  void number(std::int64_t value) { number(static_cast<double>(value)); }
  void string(std::string_view value);
  std::uint64_t size() const { return size_; }

 private:
  std::byte* at_;
  std::uint64_t size_ = 0;  // of all that was written; may be more than fits in memory
};

using WritePage = void(PageWriter& to, const void* what);

// Puts on the page what `write` writes. It is called twice.
Status write_page(WritePage* write, const void* what);

template <class Write>
Status write_page(const Write& write) {
  return write_page([](PageWriter& to, const void* what) { (*static_cast<const Write*>(what))(to); }, &write);
}

}  // namespace broadloom
