#include "kernels/movement/levels.h"

#include <algorithm>

#include "core/count.h"
#include "kernels/movement/repeat.h"

namespace broadloom {
namespace {

std::size_t extent_of(const Axis& axis) { return in_memory(axis.extent); }

// The byte offsets of the items of some axes, outermost first, in the items' order.
std::span<const std::uint8_t> list_offsets(std::span<const Axis> axes, std::size_t item_size, std::uint8_t* offsets) {
  std::size_t count = 1;
  offsets[0] = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::size_t step = in_memory(axes[i].stride) * item_size;
    const std::size_t end = count * extent_of(axes[i]);
    for (std::size_t item = count; item < end; ++item) offsets[item] = static_cast<std::uint8_t>(offsets[item - count] + step);
    count = end;
  }
  return {offsets, count};
}

}  // namespace

Levels::Levels(std::span<const Axis> axes, std::size_t item_size) : item_size_(item_size) {
  for (std::int64_t dense = 1; depth_ < axes.size(); ++depth_) {
    const Axis& axis = axes[axes.size() - 1 - depth_];
    if (axis.stride == 0) continue;
    if (axis.stride != dense) break;
    dense *= axis.extent;
  }
  // One level alone is left to repeat_each.
  if (depth_ > 3) plan_spread(axes.last(depth_));
}

// Plans shuffles for the innermost axes, all that Spread can take. The outermost of them is repeated.
void Levels::plan_spread(std::span<const Axis> axes) {
  std::size_t source_bytes = item_size_;
  std::size_t source = 0;
  std::size_t repeats = 0;
  for (std::size_t depth = 1; depth < axes.size(); ++depth) {
    const Axis& axis = axes[axes.size() - depth];
    if (axis.stride != 0) source_bytes *= extent_of(axis);
    if (count_of(axes.last(depth)) * item_size_ > Spread::most_row_bytes || source_bytes > Spread::most_source_bytes) break;
    if (axis.stride != 0) continue;
    spread_depth_ = depth;
    source = source_bytes;
    ++repeats;
  }
  if (spread_depth_ == 0) return;
  const std::span<const Axis> row = axes.last(spread_depth_);
  if (repeats == 1 && has_constant_shuffles(source, extent_of(row.front()))) {
    spread_depth_ = 0;
    return;
  }
  std::uint8_t offsets[Spread::most_row_bytes];
  spread_.emplace(list_offsets(row, item_size_, offsets), item_size_, source);
}

void Levels::write(std::byte* to, const std::byte* from, std::span<const Axis> axes, std::size_t extent,
                   std::byte* aside) const {
  if (spread_ && axes.size() == spread_depth_ + 1) return spread_->write(to, from, extent);
  const std::size_t times = extent_of(axes[1]);
  const std::span<const Axis> within = axes.subspan(2);
  const std::size_t bytes = count_of(within) * item_size_;
  if (within.size() <= 1) return repeat_each(to, from, bytes, extent, times);
  const std::size_t most = most_bytes / bytes;
  const std::size_t step = in_memory(axes.front().stride) * item_size_;
  for (std::size_t i = 0; i < extent; i += most) {
    const std::size_t count = std::min(most, extent - i);
    // Walking over the blocks and then within them is one walk: the elements are dense.
    write(aside, from + i * step, within, count * extent_of(within.front()), aside + count * bytes);
    repeat_each(to + i * bytes * times, aside, bytes, count, times);
  }
}

}  // namespace broadloom
