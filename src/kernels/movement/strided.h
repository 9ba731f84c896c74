// The one strided kernel: writes the elements of any layout densely.
#pragma once

#include <cstddef>

#include "core/layout.h"
#include "core/status.h"

namespace broadloom {

// Writes the elements that `layout` finds from `from` on to `to`, in row-major order and without gaps. `item_size` is
// 1, 2, 4, 8 or 16; `to` has room for layout.count() items and does not overlap `from`. No alignment is asked for.
// It takes the time to write the result: elements on stride-0 axes are read once, and their block is repeated.
void materialize(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size);

// Writes any number of elements as materialize() does. Fails when the time is over.
Status materialize_watched(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size);

}  // namespace broadloom
