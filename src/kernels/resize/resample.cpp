#include "kernels/resize/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/limits.h"
#include "kernels/square.h"

namespace broadloom {
namespace {

constexpr std::size_t lanes = lanes_of<float>;

// The sums for some vectors: `taps` rows lie `step` bytes apart. There is at least one. Compilers that optimise for size leave
// loops over vectors, whose sums are in memory then: twice the time.
template <std::size_t... vector>
void weigh(std::byte* to, const std::byte* from, std::size_t step, const float* weights, std::size_t taps,
           std::index_sequence<vector...>) {
  Lanes<float> sums[] = {load_lanes<float>(from + vector * vector_bytes) * weights[0]...};
  for (std::size_t k = 1; k < taps; ++k) {
    from += step;
    const float weight = weights[k];
    ((sums[vector] += load_lanes<float>(from + vector * vector_bytes) * weight), ...);
  }
  (store_lanes(to + vector * vector_bytes, sums[vector]), ...);
}

// The same for single elements.
template <class T>
[[gnu::noinline]] void weigh_each(std::byte* to, const std::byte* from, std::size_t step, const T* weights, std::size_t taps,
                                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T sum = 0;
    for (std::size_t k = 0; k < taps; ++k) {
      T element;
      std::memcpy(&element, from + k * step + i * sizeof(T), sizeof(T));
      sum = k == 0 ? element * weights[0] : sum + element * weights[k];
    }
    std::memcpy(to + i * sizeof(T), &sum, sizeof(T));
  }
}
template <class T>
void write_each(std::byte* to, const std::byte* from, const Windows& axis, std::size_t o, std::size_t inner) {
  const Window& window = axis.windows[o];
  const T* weights = reinterpret_cast<const T*>(axis.weights) + o * axis.taps + window.begin;
  const std::size_t step = inner * sizeof(T);
  weigh_each(to + o * step, from + (window.start + window.begin) * step, step, weights, window.end - window.begin, inner);
}

// Rows of `inner` elements side by side.
class RowSums {
 public:
  RowSums(const Windows& axis, std::size_t inner, const std::byte* end, const std::byte* from_end)
      : axis_(axis), inner_(inner), step_(inner * sizeof(float)), end_(end), from_end_(from_end) {}

  void write(std::byte* to, const std::byte* from, std::size_t o) const {
    const Window& window = axis_.windows[o];
    const float* weights = reinterpret_cast<const float*>(axis_.weights) + o * axis_.taps + window.begin;
    const std::size_t taps = window.end - window.begin;
    const std::byte* const rows = from + (window.start + window.begin) * step_;
    std::byte* const row = to + o * step_;
    if (taps == 0 || (inner_ < lanes && !has_room(row, rows + (taps - 1) * step_))) {
      return write_each<float>(to, from, axis_, o, inner_);
    }
    constexpr std::size_t many = 4 * vector_bytes;
    std::size_t i = 0;
    for (; i + many <= step_; i += many) weigh(row + i, rows + i, step_, weights, taps, std::make_index_sequence<4>());
    // The last vector overlaps the one before it.
    for (; i < step_; i += vector_bytes) {
      const std::size_t at = step_ < vector_bytes ? 0 : std::min(i, step_ - vector_bytes);
      weigh(row + at, rows + at, step_, weights, taps, std::index_sequence<0>());
    }
  }

 private:
  // Whether a row of less than a vector may be read and written as one: what is written too much is written again.
  bool has_room(const std::byte* to, const std::byte* from) const {
    constexpr auto size = static_cast<std::ptrdiff_t>(vector_bytes);
    return end_ - to >= size && from_end_ - from >= size;
  }

  const Windows& axis_;
  std::size_t inner_;
  std::size_t step_;
  const std::byte* end_;
  const std::byte* from_end_;
};

// Elements of the innermost axis: a sum for each vector along the axis, and then the sums of four of these.
Lanes<float> products(const std::byte* from, const Windows& axis, std::size_t o) {
  const std::byte* elements = from + axis.windows[o].start * sizeof(float);
  const std::byte* weights = axis.weights + o * axis.taps * sizeof(float);
  Lanes<float> sum = load_lanes<float>(elements) * load_lanes<float>(weights);
  for (std::size_t k = lanes; k < axis.taps; k += lanes) {
    elements += vector_bytes;
    weights += vector_bytes;
    sum += load_lanes<float>(elements) * load_lanes<float>(weights);
  }
  return sum;
}
template <std::size_t... number>
void sum_along(std::byte* to, const std::byte* from, const Windows& axis, std::index_sequence<number...>) {
  std::size_t o = 0;
  for (; o + lanes <= axis.to && axis.taps % lanes == 0; o += lanes) {
    const Square<lanes> columns = transposed(Square<lanes>{{as<Vector>(products(from, axis, o + number))...}});
    const auto column = [&](std::size_t i) { return as<Lanes<float>>(columns.rows[i]); };
    const Lanes<float> results = (column(0) + column(1)) + (column(2) + column(3));
    store_lanes(to + o * sizeof(float), results);
    // Taps without weight, which an infinity or a NaN among them makes NaN.
    if (any(nan_mask(results))) (write_each<float>(to, from, axis, o + number, 1), ...);
  }
  for (; o < axis.to; ++o) write_each<float>(to, from, axis, o, 1);
}

}  // namespace

void resample(std::byte* to, const std::byte* from, const Windows& axis, std::size_t outer, std::size_t inner) {
  const std::size_t from_bytes = axis.from * inner * sizeof(float);
  const std::size_t to_bytes = axis.to * inner * sizeof(float);
  const RowSums sums(axis, inner, to + outer * to_bytes, from + outer * from_bytes);
  const double steps = static_cast<double>(axis.to * axis.taps) * static_cast<double>(inner) / 4;
  for (std::size_t i = 0; i < outer; ++i, from += from_bytes, to += to_bytes) {
    if (Watch::is_over(steps)) return;
    if (inner == 1) {
      sum_along(to, from, axis, std::make_index_sequence<lanes>());
    } else {
      for (std::size_t o = 0; o < axis.to; ++o) sums.write(to, from, o);
    }
  }
}

void resample_doubles(std::byte* to, const std::byte* from, const Windows& axis, std::size_t outer, std::size_t inner) {
  for (std::size_t i = 0; i < outer; ++i) {
    for (std::size_t o = 0; o < axis.to; ++o) {
      if (Watch::is_over(static_cast<double>(axis.taps * inner))) return;
      write_each<double>(to + i * axis.to * inner * sizeof(double), from + i * axis.from * inner * sizeof(double), axis, o,
                         inner);
    }
  }
}

void round_within(std::byte* numbers, bool are_doubles, std::size_t count, double least, double most) {
  std::size_t i = 0;
  if (are_doubles) {
    for (; i < count; ++i) {
      double value;
      std::memcpy(&value, numbers + i * sizeof value, sizeof value);
      value = std::min(std::max(std::nearbyint(value), least), most);
      std::memcpy(numbers + i * sizeof value, &value, sizeof value);
    }
    return;
  }
  const Lanes<float> low = Lanes<float>{} + static_cast<float>(least);
  const Lanes<float> high = Lanes<float>{} + static_cast<float>(most);
  for (; i < count; i += lanes) {
    std::byte* at = numbers + i * sizeof(float);
    store_lanes(at, at_most(at_least(nearest(load_lanes<float>(at)), low), high));
  }
}

}  // namespace broadloom
