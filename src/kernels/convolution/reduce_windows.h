// Reductions of windows: each channel's largest element, or the sum of its elements.
#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

struct WindowBlock {
  const std::byte* const* at;  // of each window's element `tap`: at[tap * distance + window]
  std::size_t distance;
  std::size_t windows;
  std::size_t taps;      // at least one
  std::size_t channels;  // side by side
};

// Writes a result for each window and channel, densely. A sum adds all taps, one after the other. A maximum is NaN if an
// element is.
using ReduceWindows = void (*)(std::byte* to, const WindowBlock& block);

// For float32, float64, int8 and uint8.
ReduceWindows maximum_of_windows(Dtype dtype);
// For float32 and float64.
ReduceWindows sum_of_windows(Dtype dtype);

// Writes the largest of `kernel` elements for each of `count` places, where the window's elements lie `dilation` elements
// apart, and windows `stride`. Elements are as in maximum_of_windows. `from` is followed by a vector of elements that are not
// used.
Status maximum_along_row(Dtype dtype, std::byte* to, const std::byte* from, std::size_t count, std::size_t kernel,
                         std::size_t dilation, std::size_t stride);

// Windows that slide along rows of elements: the result at a place is the sum of `kernel` elements of each row, one row after
// the other, in the order of sum_of_windows. Elements lie `dilation` apart, and windows `stride`.
struct RowWindows {
  const std::byte* const* rows;
  std::size_t count;  // of rows
  std::size_t kernel;
  std::size_t dilation;
  std::size_t stride;
};

// Writes the sums of the places from `first` to `end`, which is as many as a vector has lanes at least, of float32 or float64.
// Rows are followed by a vector of elements that are not used.
using SumAlongRows = void (*)(std::byte* to, const RowWindows& windows, std::size_t first, std::size_t end);
SumAlongRows sum_along_rows(Dtype dtype);

}  // namespace broadloom
