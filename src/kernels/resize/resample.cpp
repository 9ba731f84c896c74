#include "kernels/resize/resample.h"

#include <cmath>
#include <cstring>

#include "kernels/square.h"

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

template <class T>
T element_at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// One sum.
template <class T>
void weigh_one(std::byte* to, const std::byte* from, std::size_t step, const T* weights, std::size_t taps) {
  T sum = element_at<T>(from) * weights[0];
  for (std::size_t k = 1; k < taps; ++k) sum += element_at<T>(from + k * step) * weights[k];
  std::memcpy(to, &sum, sizeof sum);
}

// Rows of `inner` elements side by side.
template <class T>
class RowSums {
 public:
  RowSums(const Windows<T>& axis, std::size_t inner, const std::byte* end, const std::byte* from_end)
      : axis_(axis), inner_(inner), step_(inner * sizeof(T)), end_(end), from_end_(from_end) {}

  void write(std::byte* to, const std::byte* from, std::size_t o) const {
    const Window& window = axis_.windows[o];
    const T* weights = axis_.weights + o * axis_.taps + window.begin;
    const std::size_t taps = window.end - window.begin;
    to += o * step_;
    if (taps == 0) {
      std::memset(to, 0, step_);
      return;
    }
    from += (window.start + window.begin) * step_;
    constexpr std::size_t lanes = lanes_of<T>;
    constexpr std::size_t many = 4;
    constexpr std::index_sequence<0> one;
    std::size_t i = 0;
    for (; i + many * lanes <= inner_; i += many * lanes)
      weigh(to + i * sizeof(T), from + i * sizeof(T), step_, weights, taps, std::make_index_sequence<many>());
    for (; i + lanes <= inner_; i += lanes) weigh(to + i * sizeof(T), from + i * sizeof(T), step_, weights, taps, one);
    if (i == inner_) return;
    if (i > 0) {
      i = inner_ - lanes;
    } else if (!has_room(to, from + (taps - 1) * step_)) {
      for (; i < inner_; ++i) weigh_one<T>(to + i * sizeof(T), from + i * sizeof(T), step_, weights, taps);
      return;
    }
    weigh(to + i * sizeof(T), from + i * sizeof(T), step_, weights, taps, one);
  }

 private:
  // Whether a row of less than a vector may be read and written as one: what is written too much is written again.
  bool has_room(const std::byte* to, const std::byte* from) const {
    return end_ - to >= static_cast<std::ptrdiff_t>(vector_bytes) &&
           from_end_ - from >= static_cast<std::ptrdiff_t>(vector_bytes);
  }

  const Windows<T>& axis_;
  std::size_t inner_;
  std::size_t step_;
  const std::byte* end_;
  const std::byte* from_end_;
};

// Elements of the innermost axis: a sum for each vector along the axis, and then the sums of four of these.
class SumsAlong {
 public:
  explicit SumsAlong(const Windows<float>& axis) : axis_(axis) {}

  void write(std::byte* to, const std::byte* from) const {
    std::size_t o = 0;
    for (; o + lanes <= axis_.to && axis_.taps % lanes == 0; o += lanes) {
      write_vector(to + o * sizeof(float), from, o, std::make_index_sequence<lanes>());
    }
    for (; o < axis_.to; ++o) write_one(to + o * sizeof(float), from, o);
  }

 private:
  static constexpr std::size_t lanes = lanes_of<float>;

  template <std::size_t... number>
  void write_vector(std::byte* to, const std::byte* from, std::size_t o, std::index_sequence<number...>) const {
    const Square<lanes> columns = transposed(Square<lanes>{{as<Vector>(products(from, o + number))...}});
    const auto column = [&](std::size_t i) { return as<Lanes<float>>(columns.rows[i]); };
    const Lanes<float> results = (column(0) + column(1)) + (column(2) + column(3));
    store_lanes(to, results);
    // Taps without weight, which an infinity or a NaN among them makes NaN.
    if (any(nan_mask(results))) (write_one(to + number * sizeof(float), from, o + number), ...);
  }
  Lanes<float> products(const std::byte* from, std::size_t o) const {
    const std::byte* elements = from + axis_.windows[o].start * sizeof(float);
    const auto* weights = reinterpret_cast<const std::byte*>(axis_.weights + o * axis_.taps);
    Lanes<float> sum = load_lanes<float>(elements) * load_lanes<float>(weights);
    for (std::size_t k = lanes; k < axis_.taps; k += lanes) {
      elements += vector_bytes;
      weights += vector_bytes;
      sum += load_lanes<float>(elements) * load_lanes<float>(weights);
    }
    return sum;
  }
  void write_one(std::byte* to, const std::byte* from, std::size_t o) const {
    const Window& window = axis_.windows[o];
    if (window.begin == window.end) {
      std::memset(to, 0, sizeof(float));
    } else {
      weigh_one<float>(to, from + (window.start + window.begin) * sizeof(float), sizeof(float),
                       axis_.weights + o * axis_.taps + window.begin, window.end - window.begin);
    }
  }

  const Windows<float>& axis_;
};

}  // namespace

template <class T>
void resample(std::byte* to, const std::byte* from, const Windows<T>& axis, std::size_t outer, std::size_t inner) {
  const std::size_t from_bytes = axis.from * inner * sizeof(T);
  const std::size_t to_bytes = axis.to * inner * sizeof(T);
  const RowSums<T> sums(axis, inner, to + outer * to_bytes, from + outer * from_bytes);
  for (std::size_t i = 0; i < outer; ++i, from += from_bytes, to += to_bytes) {
    if constexpr (sizeof(T) == sizeof(float)) {
      if (inner == 1) {
        SumsAlong(axis).write(to, from);
        continue;
      }
    }
    for (std::size_t o = 0; o < axis.to; ++o) sums.write(to, from, o);
  }
}

template void resample<float>(std::byte*, const std::byte*, const Windows<float>&, std::size_t, std::size_t);
template void resample<double>(std::byte*, const std::byte*, const Windows<double>&, std::size_t, std::size_t);

template <class T>
void round_within(std::byte* numbers, std::size_t count, T least, T most) {
  constexpr std::size_t lanes = lanes_of<T>;
  const Lanes<T> low = Lanes<T>{} + least;
  const Lanes<T> high = Lanes<T>{} + most;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    std::byte* at = numbers + i * sizeof(T);
    store_lanes(at, at_most(at_least(nearest(load_lanes<T>(at)), low), high));
  }
  for (; i < count; ++i) {
    const T value = std::nearbyint(element_at<T>(numbers + i * sizeof(T)));
    const T within = value < least ? least : value > most ? most : value;
    std::memcpy(numbers + i * sizeof(T), &within, sizeof(T));
  }
}

template void round_within<float>(std::byte*, std::size_t, float, float);
template void round_within<double>(std::byte*, std::size_t, double, double);

}  // namespace broadloom
