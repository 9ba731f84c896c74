#include "kernels/movement/transpose.h"

#include <algorithm>
#include <cstdlib>

#include "core/count.h"

namespace broadloom {
namespace {

// The most rows for which the axes between the two are walked at a time: the cache lines of these rows' results stay in the
// cache until they are full.
constexpr std::size_t most_rows = 256;

}  // namespace

Transpose::Transpose(std::span<const Axis> axes, std::size_t item_size) : item_size_(item_size) {
  std::int64_t smallest = std::abs(axes.back().stride);
  std::size_t bytes = item_size;
  for (std::size_t depth = 1; depth < axes.size(); ++depth) {
    bytes *= in_memory(axes[axes.size() - depth].extent);
    const std::int64_t stride = std::abs(axes[axes.size() - depth - 1].stride);
    if (stride == 0 || stride >= smallest) continue;
    smallest = stride;
    axes_ = axes.last(depth + 1);
    plane_.to_step = static_cast<std::ptrdiff_t>(bytes);
  }
  if (axes_.empty()) return;
  const auto item = static_cast<std::ptrdiff_t>(item_size);
  const auto rows = in_memory(axes_.front().extent);
  plane_.rows = axes_.size() == 2 ? rows : std::min(rows, most_rows);
  plane_.columns = in_memory(axes_.back().extent);
  plane_.from_step = static_cast<std::ptrdiff_t>(axes_.back().stride) * item;
  plane_.item_step = static_cast<std::ptrdiff_t>(axes_.front().stride) * item;
  // From the last row on: what is read goes forwards.
  is_backwards_ = plane_.item_step < 0;
  if (is_backwards_) {
    plane_.to_step = -plane_.to_step;
    plane_.item_step = -plane_.item_step;
  }
  transpose_.emplace(plane_, item_size);
}

void Transpose::write(std::byte* to, const std::byte* from, std::size_t extent) const {
  if (is_backwards_) {
    to -= times(extent - 1, plane_.to_step);
    from -= times(extent - 1, plane_.item_step);
  }
  const std::span<const Axis> between = axes_.subspan(1, axes_.size() - 2);
  for (std::size_t row = 0; row < extent; row += plane_.rows) {
    std::byte* const rows_to = to + times(row, plane_.to_step);
    const std::byte* const rows_from = from + times(row, plane_.item_step);
    if (extent - row >= plane_.rows) {
      write_between(rows_to, rows_from, between, *transpose_);
    } else {
      Plane rest = plane_;
      rest.rows = extent - row;
      write_between(rows_to, rows_from, between, PlaneTranspose(rest, item_size_));
    }
  }
}

void Transpose::write_between(std::byte* to, const std::byte* from, std::span<const Axis> between,
                              const PlaneTranspose& write) const {
  if (between.empty()) return write(to, from);
  const Axis& axis = between.front();
  std::size_t bytes = item_size_ * in_memory(axes_.back().extent);
  for (const Axis& inner : between.subspan(1)) bytes *= in_memory(inner.extent);
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    write_between(to, from, between.subspan(1), write);
    to += bytes;
    from += static_cast<std::ptrdiff_t>(axis.stride) * static_cast<std::ptrdiff_t>(item_size_);
  }
}

}  // namespace broadloom
