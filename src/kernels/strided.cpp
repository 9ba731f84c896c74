#include "kernels/strided.h"

#include <cstring>

#include "kernels/copy.h"
#include "kernels/fill.h"

namespace broadloom {
namespace {

// Writes one innermost row.
void write_row(std::byte* to, const std::byte* from, const Axis& axis, std::size_t item_size) {
  const auto extent = static_cast<std::size_t>(axis.extent);
  if (axis.stride == 0) {
    fill(to, from, item_size, extent);
  } else if (axis.stride == 1) {
    std::memcpy(to, from, extent * item_size);
  } else {
    gather(to, from, static_cast<std::ptrdiff_t>(axis.stride) * static_cast<std::ptrdiff_t>(item_size), item_size, extent);
  }
}

// Writes the block of `axes` (outermost first, at least one) and returns its end. The depth of the recursion is the
// rank of merged axes, which is bounded.
std::byte* write_block(std::byte* to, const std::byte* from, std::span<const Axis> axes, std::size_t item_size) {
  const Axis& axis = axes.front();
  const auto extent = static_cast<std::size_t>(axis.extent);
  if (axes.size() == 1) {
    write_row(to, from, axis, item_size);
    return to + extent * item_size;
  }
  if (axis.stride == 0) {
    const auto block = static_cast<std::size_t>(write_block(to, from, axes.subspan(1), item_size) - to);
    repeat_block(to, block, extent);
    return to + block * extent;
  }
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(axis.stride) * static_cast<std::ptrdiff_t>(item_size);
  for (std::size_t i = 0; i < extent; ++i) {
    to = write_block(to, from + static_cast<std::ptrdiff_t>(i) * step, axes.subspan(1), item_size);
  }
  return to;
}

}  // namespace

void materialize(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size) {
  if (layout.count() == 0) return;
  const MergedAxes merged = merge_axes(layout);
  if (merged.rank == 0) {
    std::memcpy(to, from, item_size);
  } else {
    write_block(to, from, merged.values(), item_size);
  }
}

}  // namespace broadloom
