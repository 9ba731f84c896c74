// Short rows that lie apart, backwards or with gaps: items of slices, pixels with other channels.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/layout.h"
#include "kernels/movement/spread.h"

namespace broadloom {

// The innermost of some merged axes: one that is walked over, and as many within it as reach over one vector at most. Each
// vector that is loaded becomes as many rows as it holds.
class ShortRows {
 public:
  ShortRows(std::span<const Axis> axes, std::size_t item_size);

  // How many of the axes it writes; 0 if there are none to be written so. 1: the rows are single items, several in a vector.
  std::size_t depth() const { return depth_; }

  // Writes depth() axes, of the first of them `extent` indices.
  void write(std::byte* to, const std::byte* from, std::size_t extent) const { spread_->write(to, from - before_, extent); }

 private:
  std::size_t depth_ = 0;
  std::size_t before_ = 0;  // how many bytes a row reaches before its first item
  std::optional<Spread> spread_;
};

}  // namespace broadloom
