// Pools: windows over images become their largest elements, or the means of their elements.
#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.h"
#include "core/layout.h"
#include "kernels/convolution/channels_last.h"
#include "kernels/convolution/fold_windows.h"
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
  // Results have the channels innermost; with `in_rows`, they are row-major. That is for maxima of images whose last axis is
  // the innermost one, of elements that are not converted (can_pool_rows).
  // The axes' pitches are not read. `ends` is the padding behind each axis, and only read for mean_of_all.
  Pooling(Kind kind, Dtype dtype, SlidingAxes axes, std::span<const std::int64_t> ends, const Layout& images, bool in_rows);

  static bool can_pool_rows(Kind kind, Dtype dtype, const Layout& images);

  // The memory that a run needs, aligned to 16.
  double workspace_bytes() const;
  void run(std::byte* to, const std::byte* images, std::byte* workspace) const;

 private:
  struct Parts;

  // The items that are folded side by side.
  std::size_t channels() const;
  void run_rows(std::byte* to, const std::byte* images, const std::byte* outside, const std::byte** addresses,
                std::byte* row) const;
  void divide(std::byte* sums, std::size_t first, std::size_t count) const;
  double elements_of(std::size_t window) const;

  Kind kind_;
  bool in_rows_;
  Dtype dtype_;
  AccumulateType accumulate_;
  Dtype folded_;
  SlidingAxes axes_;   // without idle taps
  SlidingAxes whole_;  // with them: a mean may be of padding, too
  InlineVector<std::int64_t, 3> ends_;
  Layout images_;
  ChannelsLast copies_;
  WindowAddresses windows_;  // in rows: of rows, one at a time
  std::size_t block_;        // windows at a time
  FoldWindows fold_;
};

}  // namespace broadloom
