// The form of a plane of items that is transposed.
#pragma once

#include <cstddef>

namespace broadloom {

// Item `column` of row `row` of the result is the item at from + row * item_step + column * from_step. All steps are in
// bytes, of either sign; rows of the result do not overlap.
struct Plane {
  std::size_t rows;
  std::size_t columns;
  std::ptrdiff_t to_step;
  std::ptrdiff_t from_step;
  std::ptrdiff_t item_step;
};

inline std::ptrdiff_t times(std::size_t count, std::ptrdiff_t step) { return static_cast<std::ptrdiff_t>(count) * step; }

}  // namespace broadloom
