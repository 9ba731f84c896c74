// Items at merged axes: copied one by one, and a source of exactly the bytes that the axes reach.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/layout.h"
#include "support/exact.h"

namespace broadloom::test {

using AxisList = std::vector<Axis>;

// The items in row-major order.
inline std::vector<std::byte> items_at(const std::byte* from, std::span<const Axis> axes, std::size_t item_size) {
  if (axes.empty()) return {from, from + item_size};
  std::vector<std::byte> items;
  for (std::int64_t i = 0; i < axes.front().extent; ++i) {
    const std::byte* const place = from + i * axes.front().stride * static_cast<std::int64_t>(item_size);
    const std::vector<std::byte> part = items_at(place, axes.subspan(1), item_size);
    items.insert(items.end(), part.begin(), part.end());
  }
  return items;
}

class AxesSource {
 public:
  AxesSource(std::span<const Axis> axes, std::size_t item_size)
      : before_(items_beyond(axes, -1) * item_size), bytes_(before_ + (items_beyond(axes, 1) + 1) * item_size) {}
  const std::byte* first() const { return bytes_.data() + before_; }

 private:
  static std::size_t items_beyond(std::span<const Axis> axes, std::int64_t sign) {
    std::int64_t items = 0;
    for (const Axis& axis : axes) items += std::max<std::int64_t>(sign * axis.stride, 0) * (axis.extent - 1);
    return static_cast<std::size_t>(items);
  }

  std::size_t before_;
  Exact bytes_;
};

}  // namespace broadloom::test
