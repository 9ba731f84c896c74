// A plane of items transposed: many rows and columns by tiles, few of either by streams.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/movement/channels.h"
#include "kernels/movement/plane.h"

namespace broadloom {

// Transposes planes of one form: made once, called for each of them.
class PlaneTranspose {
 public:
  PlaneTranspose(const Plane& plane, std::size_t item_size);
  void operator()(std::byte* to, const std::byte* from) const;

 private:
  enum class Way : std::uint8_t { item_by_item, squares, few_rows, interleaved, separated };

  Plane plane_;
  std::size_t item_size_;
  Way way_ = Way::item_by_item;
  ChannelSquares channels_;  // of planes that are interleaved or separated
};

inline void transpose_plane(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  PlaneTranspose(plane, item_size)(to, from);
}

}  // namespace broadloom
