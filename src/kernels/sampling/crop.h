// Parts of an image's planes, each at one size.
#pragma once

#include <cstddef>
#include <span>

namespace broadloom {

// A place along one axis: the elements at both sides, and the second one's part. Places outside of the image have none.
struct CropTap {
  std::size_t low = 0;
  std::size_t high = 0;
  double part = 0;
  bool is_inside = false;
};

// Writes the places of a part of an axis of `size` elements, from `start` to `end`, where 0 is the first element and 1 the last
// one. A single place is in the middle. `is_nearest`: the nearest element, of two the further one.
template <class T>
void place_crop(std::span<CropTap> to, T start, T end, std::size_t size, bool is_nearest);

// Writes a part of a plane of `width` elements in a row; `outside` for places outside of it.
template <class T>
void crop_plane(T* to, const T* plane, std::size_t width, std::span<const CropTap> rows, std::span<const CropTap> columns,
                T outside);

extern template void place_crop<float>(std::span<CropTap>, float, float, std::size_t, bool);
extern template void place_crop<double>(std::span<CropTap>, double, double, std::size_t, bool);
extern template void crop_plane<float>(float*, const float*, std::size_t, std::span<const CropTap>, std::span<const CropTap>,
                                       float);
extern template void crop_plane<double>(double*, const double*, std::size_t, std::span<const CropTap>, std::span<const CropTap>,
                                        double);

}  // namespace broadloom
