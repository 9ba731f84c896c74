// Pools of regions of images.
#pragma once

#include <cstddef>
#include <span>

#include "core/status.h"

namespace broadloom {

// An index on an axis, and its weight.
struct RegionTap {
  std::size_t index;
  double weight;
};

// The elements of an axis that a place of a pool takes.
struct RegionBin {
  std::span<const RegionTap> taps;
  bool has_zero = false;  // samples outside of the image are 0
};

// Writes rows.size() times columns.size() results for a plane with rows of `width` elements. T is float or double. Each is the
// sum of the products of all elements of its taps with their weights, over `divisor`; or the greatest of these products, and 0
// if there is none. It takes the time of the products. Fails when the time is over.
template <class T>
Status pool_region(T* to, const T* plane, std::size_t width, std::span<const RegionBin> rows,
                   std::span<const RegionBin> columns, bool is_max, double divisor);

}  // namespace broadloom
