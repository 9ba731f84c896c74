#include "kernels/convolution/pool_indices.h"

#include <cmath>

#include "core/limits.h"

namespace broadloom {
namespace {

// The largest element of one window.
struct Largest {
  double value;
  std::int64_t row_major = -1;
  std::int64_t column_major = -1;
};

// Goes over the taps along axis `axis` and those behind it. The numbers are those of the elements so far, and the steps those
// of the axis.
void visit(Largest& largest, const double* plane, std::span<const SlidingAxis> axes, const std::int64_t* places,
           std::int64_t row_major, std::int64_t column_major, std::int64_t column_step) {
  const SlidingAxis& axis = axes[0];
  std::int64_t position = axis.position(places[0]);
  for (std::int64_t tap = 0; tap < axis.kernel && position < axis.size; ++tap, position += axis.dilation) {
    if (position < 0) continue;
    const std::int64_t row = row_major * axis.size + position;
    const std::int64_t column = column_major + position * column_step;
    if (axes.size() > 1) {
      visit(largest, plane, axes.subspan(1), places + 1, row, column, column_step * axis.size);
    } else if (largest.row_major < 0 || plane[row] > largest.value || (std::isnan(plane[row]) && !std::isnan(largest.value))) {
      largest = {plane[row], row, column};
    }
  }
}

}  // namespace

void find_maxima(double* to, std::int64_t* numbers, const double* from, std::size_t planes, std::span<const SlidingAxis> axes,
                 double lowest, bool by_columns) {
  std::int64_t plane_items = 1;
  std::int64_t windows = 1;
  double taps = 1;
  for (const SlidingAxis& axis : axes) {
    plane_items *= axis.size;
    windows *= axis.places;
    taps *= static_cast<double>(axis.kernel);
  }
  InlineVector<std::int64_t, 3> places(axes.size());
  for (std::size_t plane = 0; plane < planes; ++plane, from += plane_items) {
    const std::int64_t first = static_cast<std::int64_t>(plane) * plane_items;
    for (std::int64_t window = 0; window < windows; ++window) {
      if (Watch::is_over(taps)) return;
      std::int64_t rest = window;
      for (std::size_t i = axes.size(); i-- > 0; rest /= axes[i].places) places[i] = rest % axes[i].places;
      Largest largest{lowest};
      visit(largest, from, axes, places.data(), 0, 0, 1);
      *to++ = largest.value;
      const std::int64_t number = by_columns ? largest.column_major : largest.row_major;
      *numbers++ = number < 0 ? -1 : first + number;
    }
  }
}

}  // namespace broadloom
