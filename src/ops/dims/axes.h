// Conversion of ONNX's axis numbers.
#pragma once

#include <cstddef>
#include <optional>

#include "core/count.h"
#include "core/size.h"

namespace broadloom {

// The position of an axis with a number from -rank to rank - 1; negative numbers count from the end. Returns nullopt for other
// numbers and for symbolic ones.
constexpr std::optional<std::size_t> axis_at(std::int64_t axis, std::size_t rank) {
  const auto axes = static_cast<std::int64_t>(rank);
  if (axis < -axes || axis >= axes) return std::nullopt;
  return in_memory(axis < 0 ? axis + axes : axis);
}
constexpr std::optional<std::size_t> axis_at(Size axis, std::size_t rank) {
  return axis.is_number() ? axis_at(axis.number(), rank) : std::nullopt;
}

}  // namespace broadloom
