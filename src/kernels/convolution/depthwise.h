// Depthwise convolutions: each channel has a filter of its own.
#pragma once

#include <cstddef>

#include "core/dtype.h"

namespace broadloom {

struct DepthwiseBlock {
  const std::byte* const* at;  // of each window's element `tap`: at[tap * distance + window]
  std::size_t distance;
  std::size_t windows;
  std::size_t taps;
  std::size_t channels;
  const std::byte* filters;  // taps, channels
  const std::byte* bias;     // channels
};

// Writes a result for each window and channel, densely: the bias and the products of all taps, added one after the other.
using WriteDepthwise = void (*)(std::byte* to, const DepthwiseBlock& block);

// For float32 or float64.
WriteDepthwise write_depthwise_of(Dtype dtype);

}  // namespace broadloom
