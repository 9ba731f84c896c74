#include "kernels/convolution/depthwise.h"

#include <algorithm>
#include <utility>

#include "kernels/simd.h"

namespace broadloom {
namespace {

// So many windows share what is loaded of the filters.
constexpr std::size_t tile_windows = 4;

// Writes `vectors` vectors of channels of each window, from byte `offset` of its channels on.
template <class T, std::size_t vectors>
[[gnu::always_inline]] inline void write_vectors(std::byte* const* to, const DepthwiseBlock& block, const std::size_t* window,
                                                 std::size_t offset) {
  const std::size_t pitch = block.channels * sizeof(T);
  Lanes<T> sums[tile_windows][vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    const auto bias = load_lanes<T>(block.bias + offset + v * vector_bytes);
    for (auto& sum : sums) sum[v] = bias;
  }
  const std::byte* filter = block.filters + offset;
  const std::byte* const* at = block.at;
  for (std::size_t tap = 0; tap < block.taps; ++tap, filter += pitch, at += block.distance) {
    Lanes<T> factors[vectors];
    for (std::size_t v = 0; v < vectors; ++v) factors[v] = load_lanes<T>(filter + v * vector_bytes);
    const auto add = [&](std::size_t i) {
      const std::byte* from = at[window[i]] + offset;
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += load_lanes<T>(from + v * vector_bytes) * factors[v];
    };
    add(0);
    add(1);
    add(2);
    add(3);
  }
  for (std::size_t i = 0; i < tile_windows; ++i) {
    for (std::size_t v = 0; v < vectors; ++v) store_lanes(to[i] + offset + v * vector_bytes, sums[i][v]);
  }
}

template <class T>
void write_items(std::byte* const* to, const DepthwiseBlock& block, const std::size_t* window, std::size_t first) {
  for (std::size_t i = 0; i < tile_windows; ++i) {
    for (std::size_t channel = first; channel < block.channels; ++channel) {
      const auto item = [&](const std::byte* from) { return reinterpret_cast<const T*>(from)[channel]; };
      T sum = item(block.bias);
      for (std::size_t tap = 0; tap < block.taps; ++tap) {
        sum += item(block.at[tap * block.distance + window[i]]) * item(block.filters + tap * block.channels * sizeof(T));
      }
      reinterpret_cast<T*>(to[i])[channel] = sum;
    }
  }
}

template <class T>
void write(std::byte* to, const DepthwiseBlock& block) {
  const std::size_t pitch = block.channels * sizeof(T);
  for (std::size_t first = 0; first < block.windows; first += tile_windows) {
    // Windows that are not there are the last one once more.
    std::size_t window[tile_windows];
    std::byte* result[tile_windows];
    for (std::size_t i = 0; i < tile_windows; ++i) {
      window[i] = std::min(first + i, block.windows - 1);
      result[i] = to + window[i] * pitch;
    }
    std::size_t offset = 0;
    for (; offset + 2 * vector_bytes <= pitch; offset += 2 * vector_bytes) write_vectors<T, 2>(result, block, window, offset);
    for (; offset + vector_bytes <= pitch; offset += vector_bytes) write_vectors<T, 1>(result, block, window, offset);
    if (offset < pitch) write_items<T>(result, block, window, offset / sizeof(T));
  }
}

}  // namespace

WriteDepthwise write_depthwise_of(Dtype dtype) { return dtype == Dtype::float32 ? write<float> : write<double>; }

}  // namespace broadloom
