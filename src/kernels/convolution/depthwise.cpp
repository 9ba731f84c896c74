#include "kernels/convolution/depthwise.h"

#include <algorithm>
#include <utility>

#include "kernels/base/chosen.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// The number of windows that share the loaded elements of the filters.
constexpr std::size_t tile_windows = 4;

// Loops over these numbers are written out: the compiler would keep arrays that a loop goes through in memory, which takes
// three times as long.
template <std::size_t count>
using Numbers = std::make_index_sequence<count>;

// Adds a tap's products to the sums of one window.
template <class T, std::size_t... vector>
[[gnu::always_inline]] inline void add_products(Lanes<T>* sums, const std::byte* from, const Lanes<T>* factors,
                                                std::index_sequence<vector...>) {
  ((sums[vector] += load_lanes<T>(from + vector * vector_bytes) * factors[vector]), ...);
}

template <class T, std::size_t... vector>
[[gnu::always_inline]] inline void write_sums(std::byte* to, const Lanes<T>* sums, std::index_sequence<vector...>) {
  (store_lanes(to + vector * vector_bytes, sums[vector]), ...);
}

// Writes some vectors of channels of each window, from byte `offset` of its channels on.
template <class T, std::size_t... vector, std::size_t... i>
[[gnu::always_inline]] inline void write_vectors(std::byte* const* to, const DepthwiseBlock& block, const std::size_t* window,
                                                 std::size_t offset, std::index_sequence<vector...> vectors,
                                                 std::index_sequence<i...>) {
  const std::size_t pitch = block.channels * sizeof(T);
  constexpr std::size_t count = sizeof...(vector);
  Lanes<T> sums[tile_windows * count];
  const Lanes<T> bias[] = {load_lanes<T>(block.bias + offset + vector * vector_bytes)...};
  ((sums[i * count] = bias[0], sums[i * count + count - 1] = bias[count - 1]), ...);
  const std::byte* filter = block.filters + offset;
  const std::byte* const* at = block.at;
  for (std::size_t tap = 0; tap < block.taps; ++tap, filter += pitch, at += block.distance) {
    const Lanes<T> factors[] = {load_lanes<T>(filter + vector * vector_bytes)...};
    (add_products<T>(sums + i * count, at[window[i]] + offset, factors, vectors), ...);
  }
  (write_sums<T>(to[i] + offset, sums + i * count, vectors), ...);
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
    for (; offset + 2 * vector_bytes <= pitch; offset += 2 * vector_bytes) {
      write_vectors<T>(result, block, window, offset, Numbers<2>(), Numbers<tile_windows>());
    }
    for (; offset + vector_bytes <= pitch; offset += vector_bytes) {
      write_vectors<T>(result, block, window, offset, Numbers<1>(), Numbers<tile_windows>());
    }
    if (offset < pitch) write_items<T>(result, block, window, offset / sizeof(T));
  }
}

}  // namespace

WriteDepthwise write_depthwise_of(Dtype dtype) {
  if constexpr (!chosen::has_type(Dtype::float64)) return write<float>;
  return dtype == Dtype::float32 ? write<float> : write<double>;
}

}  // namespace broadloom
