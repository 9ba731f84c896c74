#include "kernels/sampling/crop.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"

namespace broadloom {

template <class T>
void place_crop(std::span<CropTap> to, T start, T end, std::size_t size, bool is_nearest) {
  const T last = static_cast<T>(size - 1);
  const std::size_t steps = to.size() - 1;
  const T step = steps == 0 ? 0 : (end - start) * last / static_cast<T>(steps);
  for (std::size_t i = 0; i < to.size(); ++i) {
    // The last place is the end itself: a sum of steps may be a little further.
    const T x = steps == 0 ? T(0.5) * (start + end) * last : i == steps ? end * last : start * last + static_cast<T>(i) * step;
    to[i] = {};
    if (!(x >= 0 && x <= last)) continue;
    const T low = is_nearest ? std::round(x) : std::floor(x);
    to[i].is_inside = true;
    to[i].low = std::min(in_memory(Count::of(low)), size - 1);
    to[i].high = is_nearest ? to[i].low : std::min(in_memory(Count::of(std::ceil(x))), size - 1);
    to[i].part = is_nearest ? 0 : static_cast<double>(x - low);
  }
}

template <class T>
void crop_plane(T* to, const T* plane, std::size_t width, std::span<const CropTap> rows, std::span<const CropTap> columns,
                T outside) {
  for (const CropTap& row : rows) {
    const T* const above = plane + row.low * width;
    const T* const below = plane + row.high * width;
    for (const CropTap& column : columns) {
      if (!row.is_inside || !column.is_inside) {
        *to++ = outside;
        continue;
      }
      const T across = static_cast<T>(column.part);
      const T first = above[column.low] + (above[column.high] - above[column.low]) * across;
      const T second = below[column.low] + (below[column.high] - below[column.low]) * across;
      *to++ = first + (second - first) * static_cast<T>(row.part);
    }
  }
}

template void place_crop<float>(std::span<CropTap>, float, float, std::size_t, bool);
template void place_crop<double>(std::span<CropTap>, double, double, std::size_t, bool);
template void crop_plane<float>(float*, const float*, std::size_t, std::span<const CropTap>, std::span<const CropTap>, float);
template void crop_plane<double>(double*, const double*, std::size_t, std::span<const CropTap>, std::span<const CropTap>,
                                 double);

}  // namespace broadloom
