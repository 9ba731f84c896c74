#include "kernels/movement/short_rows.h"

#include <cstdlib>

#include "core/count.h"

namespace broadloom {

ShortRows::ShortRows(std::span<const Axis> axes, std::size_t item_size) {
  std::uint8_t offsets[Spread::most_row_bytes] = {};
  std::size_t count = 1;
  std::size_t reach = item_size;
  std::size_t inner = 0;
  for (; inner + 1 < axes.size(); ++inner) {
    const Axis& axis = axes[axes.size() - 1 - inner];
    const auto extent = in_memory(axis.extent);
    if (axis.stride == 0 || extent > vector_bytes || std::abs(axis.stride) > static_cast<std::int64_t>(vector_bytes)) break;
    const std::size_t step = in_memory(std::abs(axis.stride)) * item_size;
    const std::size_t more = step * (extent - 1);
    if (reach + more > vector_bytes || count * extent * item_size > Spread::most_row_bytes) break;
    for (std::size_t i = extent; i-- > 0;) {
      const std::size_t moved = (axis.stride < 0 ? extent - 1 - i : i) * step;
      for (std::size_t item = 0; item < count; ++item)
        offsets[i * count + item] = static_cast<std::uint8_t>(offsets[item] + moved);
    }
    count *= extent;
    reach += more;
  }
  if (inner >= axes.size()) return;
  const Axis& walked = axes[axes.size() - 1 - inner];
  if (walked.stride == 0) return;
  const auto step = static_cast<std::ptrdiff_t>(walked.stride) * static_cast<std::ptrdiff_t>(item_size);
  if (inner == 0 && in_memory(std::abs(step)) + item_size > vector_bytes) return;
  depth_ = inner + 1;
  before_ = offsets[0];
  spread_.emplace(std::span(offsets, count), item_size, reach, step);
}

}  // namespace broadloom
