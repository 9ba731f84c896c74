// Transposes planes of few columns or few rows: interleaves or separates channels of pixels.
#pragma once

#include <cstddef>

#include "kernels/plane.h"
#include "kernels/simd.h"

namespace broadloom {

// Both do the part of a transpose that vectors can load and store, for up to this number of channels. The items of a column are
// adjacent in the source (item_step is the item's size).
inline constexpr std::size_t most_channels = 8;

// Both go by squares of units of several items, and one shuffle puts items in order within each vector: of the source where
// channels are put apart, else of the result.
struct Channels {
  bool are_separated;
  std::size_t count;  // of channels
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

// The result's rows are adjacent, and their columns have fewer bytes than a vector.
Channels interleaving(const Plane& plane, std::size_t item_size);

// There must be fewer rows than items in a vector, and from_step must be positive, and at most a vector; most_channels also
// limits the items of from_step.
Channels separation(const Plane& plane, std::size_t item_size);

void write_channels(std::byte* to, const std::byte* from, const Channels& channels);

}  // namespace broadloom
