// Transposes planes of few columns or few rows: interleaves or separates channels of pixels.
#pragma once

#include <cstddef>

#include "kernels/base/simd.h"
#include "kernels/movement/plane.h"

namespace broadloom {

// The most channels.
inline constexpr std::size_t most_channels = 8;

// How the part of a plane is transposed that vectors can load and store. The items of a column are adjacent in the source
// (item_step is the item's size).
//
// Channels that are interleaved are the plane's columns: the result's rows are adjacent, and have fewer bytes than a vector.
// Channels that are separated are its rows: there are fewer than items in a vector, and from_step is positive, and at most a
// vector; most_channels also limits the items of from_step.
//
// Both go by squares of units of several items, and one shuffle puts items in order within each vector: of the source where
// channels are put apart, else of the result.
struct ChannelSquares {
  ChannelSquares() = default;
  ChannelSquares(const Plane& plane, std::size_t item_size, bool separates);

  void write(std::byte* to, const std::byte* from) const;

  bool are_separated;
  std::size_t count;
  std::size_t side;
  // From vector to vector of a square, and from square to square.
  std::ptrdiff_t from_vector;
  std::ptrdiff_t to_vector;
  std::ptrdiff_t from_square;
  std::ptrdiff_t to_square;
  std::size_t squares;
  std::size_t written;  // rows of the result with all channels, or columns of all channels
  std::byte lanes[vector_bytes];
};

}  // namespace broadloom
