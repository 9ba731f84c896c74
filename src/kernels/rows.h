// Elements along one axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

// Rows of `size` elements in `outer` blocks; `inner` of them lie side by side, so that those of a row lie so many apart.
struct RowsOf {
  std::size_t outer;
  std::size_t size;
  std::size_t inner;
};

// Those along the middle one of three axes.
inline RowsOf rows_along(std::span<const std::int64_t> dims) {
  return {static_cast<std::size_t>(dims[0]), static_cast<std::size_t>(dims[1]), static_cast<std::size_t>(dims[2])};
}

}  // namespace broadloom
