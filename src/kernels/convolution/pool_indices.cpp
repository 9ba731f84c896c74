#include "kernels/convolution/pool_indices.h"

#include <algorithm>
#include <cmath>

#include "core/limits.h"

namespace broadloom {
namespace {

// The largest elements of windows side by side on the last axis, and their numbers; -1 of windows without elements.
struct Maxima {
  double* values;
  std::int64_t* numbers;

  // Takes the elements of one row of a plane, whose first one has this number. Its pitch is the distance of two numbers.
  [[gnu::noinline]] Status take_row(const double* row, std::int64_t number, const SlidingAxis& axis) const {
    const auto first_at = [&](std::int64_t offset) { return (offset + axis.stride - 1) / axis.stride; };
    for (std::int64_t tap = 0, offset = -axis.begin; tap < axis.kernel && offset < axis.size; ++tap, offset += axis.dilation) {
      const std::int64_t end = std::min(axis.places, first_at(axis.size - offset));
      const std::int64_t begin = offset < 0 ? first_at(-offset) : 0;
      BROADLOOM_CHECK(Watch::check(static_cast<double>(std::max(end - begin, std::int64_t{1}))));
      for (std::int64_t place = begin; place < end; ++place) {
        const std::int64_t position = offset + place * axis.stride;
        const double x = row[position];
        const double most = values[place];
        // A NaN is larger than all numbers. No branch: data would decide it.
        const bool is_larger = (static_cast<int>(x <= most) | static_cast<int>(std::isnan(most))) == 0 || numbers[place] < 0;
        values[place] = is_larger ? x : most;
        numbers[place] = is_larger ? number + position * static_cast<std::int64_t>(axis.pitch) : numbers[place];
      }
    }
    return {};
  }

  // Goes over the taps along the first axis and the axes after it. `row_major` is the number of the element in the plane so
  // far, and `number` the one for the result.
  Status take(const double* plane, std::span<const SlidingAxis> axes, const std::int64_t* places, std::int64_t row_major,
              std::int64_t number) const {
    const SlidingAxis& axis = axes[0];
    if (axes.size() == 1) return take_row(plane + row_major * axis.size, number, axis);
    std::int64_t position = axis.position(places[0]);
    for (std::int64_t tap = 0; tap < axis.kernel && position < axis.size; ++tap, position += axis.dilation) {
      BROADLOOM_CHECK(Watch::check());
      if (position < 0) continue;
      BROADLOOM_CHECK(take(plane, axes.subspan(1), places + 1, row_major * axis.size + position,
                           number + position * static_cast<std::int64_t>(axis.pitch)));
    }
    return {};
  }
};

}  // namespace

Status find_maxima(double* to, std::int64_t* numbers, const double* from, std::size_t planes, std::span<const SlidingAxis> axes,
                   double lowest, bool by_columns) {
  std::int64_t plane_items = 1;
  std::int64_t rows = 1;  // of windows
  SlidingAxes numbered = without_idle_taps(SlidingAxes(axes));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    SlidingAxis& axis = numbered[by_columns ? i : axes.size() - 1 - i];
    axis.pitch = static_cast<std::ptrdiff_t>(plane_items);
    plane_items *= axis.size;
    if (i + 1 < axes.size()) rows *= axes[i].places;
  }
  const std::int64_t row_places = axes.back().places;
  InlineVector<std::int64_t, 3> places(axes.size());
  for (std::size_t plane = 0; plane < planes; ++plane, from += plane_items) {
    const std::int64_t first = static_cast<std::int64_t>(plane) * plane_items;
    for (std::int64_t row = 0; row < rows; ++row, to += row_places, numbers += row_places) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(row_places)));
      std::int64_t rest = row;
      for (std::size_t i = axes.size() - 1; i-- > 0; rest /= axes[i].places) places[i] = rest % axes[i].places;
      std::fill_n(to, row_places, lowest);
      std::fill_n(numbers, row_places, -1);
      BROADLOOM_CHECK(Maxima({to, numbers}).take(from, numbered.values(), places.data(), 0, first));
    }
  }
  return {};
}

}  // namespace broadloom
