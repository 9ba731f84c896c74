// One of two items, by a bool.
#pragma once

#include <cstddef>

namespace broadloom {

// Item i of the result is that of `x` where condition i is 1, and that of `y` where it is 0. All lie densely; no alignment is
// asked for.
void select_items(std::byte* to, const std::byte* conditions, const std::byte* x, const std::byte* y, std::size_t item_size,
                  std::size_t count);

}  // namespace broadloom
