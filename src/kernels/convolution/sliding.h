// Windows that slide over the axes of an image, and where their elements lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/count.h"
#include "core/inline_vector.h"

namespace broadloom {

// One axis. Element `tap` of the window at `place` is number place * stride - begin + tap * dilation on the axis. Numbers
// outside of [0, size) are padding. All of them are below 2^62.
struct SlidingAxis {
  std::int64_t size = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t begin = 0;    // padding before the first element
  std::int64_t places = 1;   // of windows
  std::ptrdiff_t pitch = 0;  // bytes between neighbours

  std::int64_t position(std::int64_t place, std::int64_t tap = 0) const { return place * stride - begin + tap * dilation; }
  // The number of padding elements that windows reach after the last element.
  std::int64_t end() const { return std::max<std::int64_t>(position(places - 1, kernel - 1) + 1 - size, 0); }
  // Rows are not copied with more padding than this: few windows may need much of it, and a file may claim any number.
  bool has_much_padding() const { return std::max(begin, end()) > 1024; }
};

using SlidingAxes = InlineVector<SlidingAxis, 3>;

// Windows without the first and last taps that are padding in all of them. A kernel's size is any number in a file. The rest
// has about as many taps as there are windows and elements of the image.
SlidingAxes without_idle_taps(SlidingAxes axes);

// The addresses of windows' elements. Windows and taps are numbered in row-major order. There is one axis at least.
class WindowAddresses {
 public:
  explicit WindowAddresses(SlidingAxes axes);

  // The largest number of the type stands for all larger ones: no memory has room for that many addresses.
  std::size_t places() const { return places_; }
  std::size_t taps() const { return taps_; }

  // Writes the addresses of `count` windows, from window `first` on, of an image whose first element lies at `image`. The
  // addresses of tap t begin at to[t * distance]. Padding has the address `outside`.
  void write(const std::byte** to, std::size_t distance, std::size_t first, std::size_t count, const std::byte* image,
             const std::byte* outside) const;

 private:
  // Writes the addresses of windows side by side on the last axis, for the taps along it. If `row` is nullptr, all are padding.
  void write_row(const std::byte** to, std::size_t distance, std::int64_t first, std::size_t count, const std::byte* row,
                 const std::byte* outside) const;

  SlidingAxes axes_;
  std::size_t places_ = 1;
  std::size_t taps_ = 1;
};

}  // namespace broadloom
