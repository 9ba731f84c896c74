// Two strided axes: the result's rows are the source's columns.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/layout.h"
#include "kernels/movement/planes.h"

namespace broadloom {

// The innermost of some merged axes, if the last one has a stride and one further out has a smaller one: items that are
// neighbours in the source are not neighbours in the result. Both are walked in tiles that stay in the first-level cache.
class Transpose {
 public:
  Transpose(std::span<const Axis> axes, std::size_t item_size);

  // How many of the axes it writes, from the one with the smallest stride on; 0 if the axes are not a transpose.
  std::size_t depth() const { return axes_.size(); }

  // Writes depth() axes, of the first of them `extent` indices.
  void write(std::byte* to, const std::byte* from, std::size_t extent) const;

 private:
  void write_between(std::byte* to, const std::byte* from, std::span<const Axis> between, const PlaneTranspose& write) const;

  std::span<const Axis> axes_;
  std::size_t item_size_;
  Plane plane_{};  // of the rows that are written at a time
  bool is_backwards_ = false;
  std::optional<PlaneTranspose> transpose_;  // of such planes
};

}  // namespace broadloom
