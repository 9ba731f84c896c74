// Pools: windows over images become their largest elements, or the means of their elements.
#pragma once

#include <cstddef>
#include <span>

#include "core/count.h"
#include "core/dtype.h"
#include "core/layout.h"
#include "kernels/convolution/channels_last.h"
#include "kernels/convolution/reduce_windows.h"
#include "kernels/convolution/sliding.h"

namespace broadloom {

// A pool made ready for dims and for the layout of the images [N, C, ...]. It runs any number of times, with elements at other
// addresses. Elements have a floating-point type of 16 bits or more, or, for maxima, int8 or uint8.
class Pooling {
 public:
  enum class Kind : std::uint8_t {
    maximum,      // padding does not count
    mean,         // padding does not count
    mean_of_all,  // padding is 0
    sum,          // padding is 0
  };
  // Results have the channels innermost; with `in_rows`, they are row-major. That is for images whose last axis is the
  // innermost one (can_pool_rows). Sums have the same bits in both ways. The axes' pitches are not read. `ends` is the padding
  // after each axis, and is read for mean_of_all only.
  Pooling(Kind kind, Dtype dtype, SlidingAxes axes, std::span<const std::int64_t> ends, const Layout& images, bool in_rows);

  // `last` is the last axis, if its numbers are known.
  static bool can_pool_rows(Kind kind, Dtype dtype, const Layout& images, const SlidingAxis* last);

  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const;
  Status run(std::byte* to, const std::byte* images, std::byte* workspace) const;

 private:
  struct Parts;

  static bool is_sum(Kind kind) { return kind != Kind::maximum; }
  // Maxima in rows read the images where they lie.
  bool reads_copies() const { return !in_rows_ || is_sum(kind_); }
  bool is_mean() const { return kind_ == Kind::mean || kind_ == Kind::mean_of_all; }
  SlidingAxes outer_axes() const;
  // The number of items that lie side by side: the channels, or in rows the items of a row.
  std::size_t width() const;
  // Both write an image's results, and return their end.
  Result<std::byte*> write_maxima(std::byte* to, const std::byte* image, const std::byte* outside, const std::byte** addresses,
                                  std::byte* row) const;
  Result<std::byte*> write_sums(std::byte* to, const std::byte* image, std::byte* copy, const std::byte* outside,
                                const std::byte** addresses, std::byte* block) const;
  double elements_along(std::size_t axis, std::int64_t place) const;
  double elements_of(std::size_t window, std::size_t axes) const;
  void write_elements(std::byte* to, double outer) const;
  void divide(std::byte* sums, const std::byte* elements, std::size_t step, std::size_t count) const;
  // Calls a function with a number of the type that is computed in, where that is a floating-point one.
  template <class Function>
  void with_computed(Function function) const {
    if (computed_ == Dtype::float32) return function(float());
    function(double());
  }

  Kind kind_;
  bool in_rows_;
  Dtype dtype_;
  AccumulateType accumulate_;
  Dtype computed_;
  SlidingAxes axes_;   // without idle taps
  SlidingAxes whole_;  // with them: a mean may be of padding, too
  InlineVector<std::int64_t, 3> ends_;
  Layout images_;
  ImageForm form_;
  ChannelsLast copies_;      // in rows of one plane at a time
  WindowAddresses windows_;  // in rows: of rows, one at a time
  std::size_t block_;        // windows at a time
  ReduceWindows reduce_;
};

}  // namespace broadloom
