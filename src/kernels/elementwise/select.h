// Selects items by bools.
#pragma once

#include <cstddef>

#include "core/layout.h"
#include "kernels/base/loop.h"

namespace broadloom {

// Writes `count` items of 1, 2, 4, 8 or 16 bytes densely to `to`: item i of `x` if condition i is 1, or of `y`
// if it is 0, in the row-major order of their layouts. Items need no alignment.
struct Choice {
  const std::byte* conditions;
  const std::byte* x;
  const std::byte* y;
};
struct ChoiceLayouts {
  const Layout& conditions;
  const Layout& x;
  const Layout& y;
};
void select_items(std::byte* to, const Choice& from, const ChoiceLayouts& layouts, std::size_t item_size, std::size_t count);

// The loop that selects among dense items. Its operands are conditions, x and y.
InnerLoop select_loop(std::size_t item_size);

}  // namespace broadloom
