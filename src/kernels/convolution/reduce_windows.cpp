#include "kernels/convolution/reduce_windows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/limits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

template <class T>
struct WindowSum {
  using Item = T;
  static constexpr T start = 0;
  Lanes<T> sum = {};
  void add(const Lanes<T>& x) { sum += x; }
  Lanes<T> result() const { return sum; }
  static T combine(T a, T b) { return a + b; }
};

// The largest element. Among equal elements the first one stays.
template <class T>
struct Maximum {
  using Item = T;
  static constexpr T start = std::numeric_limits<T>::lowest();
  void add(const Lanes<T>& x) { most = select(most < x, x, most); }
  Lanes<T> result() const { return most; }
  static T combine(T a, T b) { return b > a ? b : a; }

  Lanes<T> most = Lanes<T>{} + start;
};

// The lanes of `max` that are NaN where an element is would be eight instructions for each element; this is three.
template <class T>
requires std::is_floating_point_v<T>
struct Maximum<T> {
  using Item = T;
  using Mask = decltype(nan_mask(Lanes<T>{}));
  static constexpr T start = -std::numeric_limits<T>::infinity();
  void add(const Lanes<T>& x) {
    most = at_least(most, x);
    nan |= nan_mask(x);
  }
  Lanes<T> result() const { return select(nan, Lanes<T>{} + static_cast<T>(NAN), most); }
  static T combine(T a, T b) { return b > a || std::isnan(b) ? b : a; }

  Lanes<T> most = Lanes<T>{} + start;
  Mask nan = {};
};

// Reduces `vectors` vectors of channels of one window, from byte `offset` of its channels on.
template <class Total, std::size_t vectors>
[[gnu::always_inline]] inline void write_vectors(std::byte* to, const WindowBlock& block, std::size_t window,
                                                 std::size_t offset) {
  using T = typename Total::Item;
  Total totals[vectors];
  const std::byte* const* at = block.at + window;
  for (std::size_t tap = 0; tap < block.taps; ++tap, at += block.distance) {
    const std::byte* from = *at + offset;
    for (std::size_t v = 0; v < vectors; ++v) totals[v].add(load_lanes<T>(from + v * vector_bytes));
  }
  for (std::size_t v = 0; v < vectors; ++v) store_lanes(to + offset + v * vector_bytes, totals[v].result());
}

template <class Total>
void reduce_block(std::byte* to, const WindowBlock& block) {
  using T = typename Total::Item;
  const std::size_t pitch = block.channels * sizeof(T);
  for (std::size_t window = 0; window < block.windows; ++window, to += pitch) {
    std::size_t offset = 0;
    for (; offset + 4 * vector_bytes <= pitch; offset += 4 * vector_bytes) write_vectors<Total, 4>(to, block, window, offset);
    for (; offset + vector_bytes <= pitch; offset += vector_bytes) write_vectors<Total, 1>(to, block, window, offset);
    // The last vector begins among channels of the one before.
    if (offset < pitch && pitch >= vector_bytes) {
      write_vectors<Total, 1>(to, block, window, pitch - vector_bytes);
      offset = pitch;
    }
    for (std::size_t channel = offset / sizeof(T); channel < block.channels; ++channel) {
      const auto item = [&](std::size_t tap) {
        return reinterpret_cast<const T*>(block.at[tap * block.distance + window])[channel];
      };
      T result = Total::start;
      for (std::size_t tap = 0; tap < block.taps; ++tap) result = Total::combine(result, item(tap));
      reinterpret_cast<T*>(to)[channel] = result;
    }
  }
}

// ---- Rows ----

// Every second element of two vectors, of four bytes each.
Vector even_elements(Vector first, Vector second) {
  return shuffle(first, second, std::index_sequence<0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27>());
}

template <class T>
void maximum_of_row(std::byte* to, const std::byte* from, std::size_t count, std::size_t kernel, std::size_t dilation,
                    std::size_t stride) {
  std::size_t i = 0;
  if constexpr (sizeof(T) == 4) {
    // Vectors of every second element: a shuffle of two vectors. The last one begins among results of the one before.
    const bool has_vectors = stride <= 2 && count >= lanes_of<T>;
    for (; has_vectors && i < count; i += lanes_of<T>) {
      i = std::min(i, count - lanes_of<T>);
      Maximum<T> most;
      const std::byte* at = from + i * stride * sizeof(T);
      for (std::size_t tap = 0; tap < kernel; ++tap, at += dilation * sizeof(T)) {
        const Vector first = load(at);
        most.add(as<Lanes<T>>(stride == 1 ? first : even_elements(first, load(at + vector_bytes))));
      }
      store_lanes(to + i * sizeof(T), most.result());
    }
  }
  for (; i < count; ++i) {
    const T* at = reinterpret_cast<const T*>(from) + i * stride;
    T most = *at;
    for (std::size_t tap = 1; tap < kernel; ++tap) most = Maximum<T>::combine(most, at[tap * dilation]);
    reinterpret_cast<T*>(to)[i] = most;
  }
}

template <class T, std::size_t... lane>
Lanes<T> elements_at(const T* from, std::size_t stride, std::index_sequence<lane...>) {
  return Lanes<T>{from[lane * stride]...};
}

// The sums of `vectors` vectors of places, from `first` on.
template <class T, std::size_t vectors>
[[gnu::always_inline]] inline void write_sums(std::byte* to, const RowWindows& windows, std::size_t first) {
  constexpr std::size_t lanes = lanes_of<T>;
  const std::size_t step = windows.stride * vector_bytes;
  Lanes<T> sums[vectors] = {};
  for (std::size_t row = 0; row < windows.count; ++row) {
    const std::byte* at = windows.rows[row] + first * windows.stride * sizeof(T);
    for (std::size_t tap = 0; tap < windows.kernel; ++tap, at += windows.dilation * sizeof(T)) {
      if (windows.stride == 1) {
        for (std::size_t v = 0; v < vectors; ++v) sums[v] += load_lanes<T>(at + v * step);
      } else if (windows.stride == 2 && lanes == 4) {
        for (std::size_t v = 0; v < vectors; ++v)
          sums[v] += as<Lanes<T>>(even_elements(load(at + v * step), load(at + v * step + vector_bytes)));
      } else {
        for (std::size_t v = 0; v < vectors; ++v) {
          const auto* const elements = reinterpret_cast<const T*>(at + v * step);
          sums[v] += elements_at(elements, windows.stride, std::make_index_sequence<lanes>());
        }
      }
    }
  }
  for (std::size_t v = 0; v < vectors; ++v) store_lanes(to + first * sizeof(T) + v * vector_bytes, sums[v]);
}

template <class T>
void sum_rows(std::byte* to, const RowWindows& windows, std::size_t first, std::size_t end) {
  constexpr std::size_t lanes = lanes_of<T>;
  std::size_t i = first;
  for (; i + 4 * lanes <= end; i += 4 * lanes) write_sums<T, 4>(to, windows, i);
  // The last vector begins among sums of the one before.
  for (; i < end; i += lanes) write_sums<T, 1>(to, windows, std::min(i, end - lanes));
}

}  // namespace

ReduceWindows maximum_of_windows(Dtype dtype) {
  if (dtype == Dtype::float32) return reduce_block<Maximum<float>>;
  if (dtype == Dtype::float64) return reduce_block<Maximum<double>>;
  return dtype == Dtype::int8 ? reduce_block<Maximum<std::int8_t>> : reduce_block<Maximum<std::uint8_t>>;
}

ReduceWindows sum_of_windows(Dtype dtype) {
  return dtype == Dtype::float32 ? reduce_block<WindowSum<float>> : reduce_block<WindowSum<double>>;
}

SumAlongRows sum_along_rows(Dtype dtype) { return dtype == Dtype::float32 ? sum_rows<float> : sum_rows<double>; }

Status maximum_along_row(Dtype dtype, std::byte* to, const std::byte* from, std::size_t count, std::size_t kernel,
                         std::size_t dilation, std::size_t stride) {
  const auto write = dtype == Dtype::float32   ? maximum_of_row<float>
                     : dtype == Dtype::float64 ? maximum_of_row<double>
                     : dtype == Dtype::int8    ? maximum_of_row<std::int8_t>
                                               : maximum_of_row<std::uint8_t>;
  // Some at a time, with looks at the time between them.
  constexpr std::size_t elements_at_once = std::size_t{1} << 16;
  const std::size_t windows_at_once = whole_vectors(elements_at_once / kernel + 1);
  const std::size_t size = item_size(dtype);
  for (std::size_t first = 0; first < count; first += windows_at_once) {
    const std::size_t windows = std::min(windows_at_once, count - first);
    BROADLOOM_CHECK(Watch::check(static_cast<double>(windows) * static_cast<double>(kernel)));
    write(to + first * size, from + first * stride * size, windows, kernel, dilation, stride);
  }
  return {};
}

}  // namespace broadloom
