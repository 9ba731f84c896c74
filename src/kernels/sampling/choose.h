// Copies blocks at chosen indices of several axes.
#pragma once

#include <cstddef>
#include <span>

#include "core/status.h"

namespace broadloom {

// An axis of a result: index i gets the elements at offsets[i] bytes of the input, and takes `block` bytes of the result. If
// `times` is above 0, each index of a dense input comes `times` times in turn.
struct ChosenAxis {
  std::span<const std::ptrdiff_t> offsets;
  std::size_t block = 0;
  std::size_t times = 0;
};

// Writes the result. There is at least one axis; the blocks of the last one are copied as they lie. Blocks that repeat along an
// outer axis are copied from the result. `to` and `from` must not overlap.
Status choose(std::byte* to, const std::byte* from, std::span<const ChosenAxis> axes);

}  // namespace broadloom
