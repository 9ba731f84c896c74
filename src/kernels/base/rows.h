// Elements along one axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/count.h"

namespace broadloom {

// Rows of `size` elements in `outer` blocks; `inner` rows lie side by side, so the elements of a row lie `inner` apart.
struct RowsOf {
  std::size_t outer;
  std::size_t size;
  std::size_t inner;
};

// The rows along the middle one of three axes.
inline RowsOf rows_along(std::span<const std::int64_t> dims) {
  return {in_memory(dims[0]), in_memory(dims[1]), in_memory(dims[2])};
}

}  // namespace broadloom
