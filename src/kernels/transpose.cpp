#include "kernels/transpose.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/planes.h"

namespace broadloom {
namespace {

// Of more rows, all that lies between the two axes is walked for so many of them at a time: their lines of the result stay
// in the cache until they are full.
constexpr std::size_t most_rows = 256;

}  // namespace

Transpose::Transpose(std::span<const Axis> axes, std::size_t item_size) : item_size_(item_size) {
  std::int64_t smallest = std::abs(axes.back().stride);
  std::size_t bytes = item_size;
  for (std::size_t depth = 1; depth < axes.size(); ++depth) {
    bytes *= static_cast<std::size_t>(axes[axes.size() - depth].extent);
    const std::int64_t stride = std::abs(axes[axes.size() - depth - 1].stride);
    if (stride == 0 || stride >= smallest) continue;
    smallest = stride;
    axes_ = axes.last(depth + 1);
    to_step_ = bytes;
  }
}

void Transpose::write(std::byte* to, const std::byte* from, std::size_t extent) const {
  if (axes_.size() == 2) return write_between(to, from, {}, extent);
  const auto step = static_cast<std::ptrdiff_t>(axes_.front().stride) * static_cast<std::ptrdiff_t>(item_size_);
  for (std::size_t row = 0; row < extent; row += most_rows) {
    write_between(to + row * to_step_, from + static_cast<std::ptrdiff_t>(row) * step, axes_.subspan(1, axes_.size() - 2),
                  std::min(most_rows, extent - row));
  }
}

void Transpose::write_between(std::byte* to, const std::byte* from, std::span<const Axis> between, std::size_t extent) const {
  const auto item = static_cast<std::ptrdiff_t>(item_size_);
  if (between.empty()) {
    const Axis& rows = axes_.front();
    const Axis& columns = axes_.back();
    Plane plane{extent, static_cast<std::size_t>(columns.extent), static_cast<std::ptrdiff_t>(to_step_),
                static_cast<std::ptrdiff_t>(columns.stride) * item, static_cast<std::ptrdiff_t>(rows.stride) * item};
    if (rows.stride < 0) {
      // From the last row on: what is read goes forwards.
      const auto last = static_cast<std::ptrdiff_t>(extent - 1);
      to += last * plane.to_step;
      from += last * plane.item_step;
      plane.to_step = -plane.to_step;
      plane.item_step = -plane.item_step;
    }
    return transpose_plane(to, from, plane, item_size_);
  }
  const Axis& axis = between.front();
  std::size_t bytes = item_size_ * static_cast<std::size_t>(axes_.back().extent);
  for (const Axis& inner : between.subspan(1)) bytes *= static_cast<std::size_t>(inner.extent);
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    write_between(to, from, between.subspan(1), extent);
    to += bytes;
    from += static_cast<std::ptrdiff_t>(axis.stride) * item;
  }
}

}  // namespace broadloom
