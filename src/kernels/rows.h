// Elements along one axis.
#pragma once

#include <cstddef>

namespace broadloom {

// Rows of `size` elements in `outer` blocks; `inner` of them lie side by side, so that those of a row lie so many apart.
struct RowsOf {
  std::size_t outer;
  std::size_t size;
  std::size_t inner;
};

}  // namespace broadloom
