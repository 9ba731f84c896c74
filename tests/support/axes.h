// Items at merged axes: copied one by one, and a source of exactly the bytes that the axes reach.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/layout.h"
#include "support/exact.h"

namespace broadloom::test {

using AxisList = std::vector<Axis>;

inline void add_items(std::vector<std::byte>& to, const std::byte* from, std::span<const Axis> axes, std::size_t item_size) {
  if (axes.empty()) {
    to.insert(to.end(), from, from + item_size);
    return;
  }
  const std::int64_t step = axes.front().stride * static_cast<std::int64_t>(item_size);
  for (std::int64_t i = 0; i < axes.front().extent; ++i) add_items(to, from + i * step, axes.subspan(1), item_size);
}

// The items in row-major order.
inline std::vector<std::byte> items_at(const std::byte* from, std::span<const Axis> axes, std::size_t item_size) {
  std::vector<std::byte> items;
  add_items(items, from, axes, item_size);
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
