// Numbers rounded to the levels of a quantised tensor, as DynamicQuantizeLinear and DequantizeLinear give them.
#pragma once

#include <cstddef>

#include "core/status.h"

namespace broadloom {

// Floats that have their levels together.
class Requantised {
 public:
  // Adds rows of `columns` floats, whose first ones are `width` floats apart.
  Status add(const std::byte* from, std::size_t rows, std::size_t columns, std::size_t width);
  // Writes the levels of `count` floats, side by side. `to` does not overlap `from`.
  Status write(std::byte* to, const std::byte* from, std::size_t count) const;

 private:
  float least_ = 0;
  float greatest_ = 0;
};

}  // namespace broadloom
