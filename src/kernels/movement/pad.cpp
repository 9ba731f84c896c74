#include "kernels/movement/pad.h"

#include "core/limits.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"

namespace broadloom {
namespace {

// The bytes of a border that are copied in a step, for Watch::check.
constexpr double border_bytes_of_step = 4;

// The inner index whose block stands at index `i` of the border.
std::size_t source_of(const PaddedAxis& axis, std::size_t i, PadMode mode) {
  const std::size_t count = axis.high - axis.low;
  const bool is_before = i < axis.low;
  const std::size_t distance = is_before ? axis.low - i : i - axis.high + 1;
  switch (mode) {
    case PadMode::edge: return is_before ? axis.low : axis.high - 1;
    case PadMode::reflect: return is_before ? axis.low + distance : axis.high - 1 - distance;
    default: {
      const std::size_t steps = (distance - 1) % count;
      return is_before ? axis.high - 1 - steps : axis.low + steps;
    }
  }
}

}  // namespace

Status pad(std::byte* to, const std::byte* from, std::span<const PaddedAxis> axes, PadMode mode, const std::byte* value,
           std::size_t item_size) {
  const PaddedAxis& axis = axes.front();
  const std::size_t low = axis.low * axis.block;
  const std::size_t high = axis.high * axis.block;
  const std::size_t end = axis.size * axis.block;
  const std::byte* inner = from + axis.first * axis.from_block;
  if (axes.size() == 1) {
    BROADLOOM_CHECK(Watch::check(1 + static_cast<double>(end) / border_bytes_of_step));
    copy_bytes(to + low, inner, high - low);
  } else {
    for (std::size_t i = low; i < high; i += axis.block, inner += axis.from_block) {
      BROADLOOM_CHECK(pad(to + i, inner, axes.subspan(1), mode, value, item_size));
    }
  }
  if (mode == PadMode::constant) {
    fill(to, value, item_size, low / item_size);
    fill(to + high, value, item_size, (end - high) / item_size);
    return {};
  }
  for (std::size_t i = 0; i < axis.size; ++i) {
    if (i == axis.low) i = axis.high;
    if (i == axis.size) break;
    BROADLOOM_CHECK(Watch::check(1 + static_cast<double>(axis.block) / border_bytes_of_step));
    copy_bytes(to + i * axis.block, to + source_of(axis, i, mode) * axis.block, axis.block);
  }
  return {};
}

}  // namespace broadloom
