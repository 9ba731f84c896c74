#include "kernels/sampling/resample.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/limits.h"
#include "kernels/movement/square.h"

namespace broadloom {
namespace {

// The sums for some vectors: `taps` rows lie `step` bytes apart. There is at least one. Compilers that optimise for size leave
// loops over vectors, whose sums are in memory then: twice the time.
template <class T, std::size_t... vector>
void weigh(std::byte* to, const std::byte* from, std::size_t step, const T* weights, std::size_t taps,
           std::index_sequence<vector...>) {
  Lanes<T> sums[] = {load_lanes<T>(from + vector * vector_bytes) * weights[0]...};
  for (std::size_t k = 1; k < taps; ++k) {
    from += step;
    const T weight = weights[k];
    ((sums[vector] += load_lanes<T>(from + vector * vector_bytes) * weight), ...);
  }
  (store_lanes(to + vector * vector_bytes, sums[vector]), ...);
}

// Writes weighted sums as weigh() does, element by element.
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
template <class T>
class RowSums {
 public:
  RowSums(const Windows& axis, std::size_t inner, const std::byte* end, const std::byte* from_end)
      : axis_(axis), inner_(inner), step_(inner * sizeof(T)), end_(end), from_end_(from_end) {}

  void write(std::byte* to, const std::byte* from, std::size_t o) const {
    const Window& window = axis_.windows[o];
    const T* weights = reinterpret_cast<const T*>(axis_.weights) + o * axis_.taps + window.begin;
    const std::size_t taps = window.end - window.begin;
    const std::byte* const rows = from + (window.start + window.begin) * step_;
    std::byte* const row = to + o * step_;
    if (taps == 0 || (inner_ < lanes_of<T> && !has_room(row, rows + (taps - 1) * step_))) {
      return write_each<T>(to, from, axis_, o, inner_);
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

// Elements of the innermost axis: a sum for each vector along the axis, and then the sum of its lanes.
template <class T>
Lanes<T> products(const std::byte* from, const Windows& axis, std::size_t o) {
  const std::byte* elements = from + axis.windows[o].start * sizeof(T);
  const std::byte* weights = axis.weights + o * axis.taps * sizeof(T);
  Lanes<T> sum = load_lanes<T>(elements) * load_lanes<T>(weights);
  for (std::size_t k = lanes_of<T>; k < axis.taps; k += lanes_of<T>) {
    elements += vector_bytes;
    weights += vector_bytes;
    sum += load_lanes<T>(elements) * load_lanes<T>(weights);
  }
  return sum;
}
// The number of vectors of results that are written between two checks of the time.
constexpr std::size_t looked_after = 64;

template <class T, std::size_t... number>
Status sum_along(std::byte* to, const std::byte* from, const Windows& axis, std::index_sequence<number...>) {
  constexpr std::size_t lanes = sizeof...(number);
  std::size_t o = 0;
  for (; o + lanes <= axis.to && axis.taps % lanes == 0; o += lanes) {
    if (o % (looked_after * lanes) == 0) BROADLOOM_CHECK(Watch::check(static_cast<double>(looked_after * axis.taps)));
    const Square<lanes> columns = transposed(Square<lanes>{{as<Vector>(products<T>(from, axis, o + number))...}});
    const auto column = [&](std::size_t i) { return as<Lanes<T>>(columns.rows[i]); };
    Lanes<T> results = column(0) + column(1);
    if constexpr (lanes == 4) results += column(2) + column(3);
    store_lanes(to + o * sizeof(T), results);
    // Taps without weight, which an infinity or a NaN among them makes NaN.
    if (any(nan_mask(results))) (write_each<T>(to, from, axis, o + number, 1), ...);
  }
  for (; o < axis.to; ++o) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(axis.taps)));
    write_each<T>(to, from, axis, o, 1);
  }
  return {};
}

template <class T>
Status resample_in(std::byte* to, const std::byte* from, const Windows& axis, std::size_t outer, std::size_t inner) {
  const std::size_t from_bytes = axis.from * inner * sizeof(T);
  const std::size_t to_bytes = axis.to * inner * sizeof(T);
  const RowSums<T> sums(axis, inner, to + outer * to_bytes, from + outer * from_bytes);
  const double steps_of_row = static_cast<double>(axis.taps) * static_cast<double>(inner) / lanes_of<T>;
  for (std::size_t i = 0; i < outer; ++i, from += from_bytes, to += to_bytes) {
    if (inner == 1) {
      BROADLOOM_CHECK(sum_along<T>(to, from, axis, std::make_index_sequence<lanes_of<T>>()));
      continue;
    }
    for (std::size_t o = 0; o < axis.to; ++o) {
      BROADLOOM_CHECK(Watch::check(steps_of_row));
      sums.write(to, from, o);
    }
  }
  return {};
}

template <class T>
void round_in(std::byte* numbers, std::size_t count, double least, double most) {
  const Lanes<T> low = Lanes<T>{} + static_cast<T>(least);
  const Lanes<T> high = Lanes<T>{} + static_cast<T>(most);
  for (std::size_t i = 0; i < count; i += lanes_of<T>) {
    std::byte* at = numbers + i * sizeof(T);
    store_lanes(at, at_most(at_least(nearest(load_lanes<T>(at)), low), high));
  }
}

}  // namespace

Status resample(std::byte* to, const std::byte* from, const Windows& axis, std::size_t outer, std::size_t inner,
                bool are_doubles) {
  return (are_doubles ? resample_in<double> : resample_in<float>)(to, from, axis, outer, inner);
}

void round_within(std::byte* numbers, bool are_doubles, std::size_t count, double least, double most) {
  (are_doubles ? round_in<double> : round_in<float>)(numbers, count, least, most);
}

}  // namespace broadloom
