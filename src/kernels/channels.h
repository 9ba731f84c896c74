// Transposes planes of few columns or few rows: interleaves or separates channels of pixels.
#pragma once

#include "kernels/planes.h"

namespace broadloom {

// Both do the part of transpose_plane that vectors can load and store, for up to this number of channels. The items of a column
// are adjacent in the source (item_step is item_size).
inline constexpr std::size_t most_channels = 8;

// The result's rows are adjacent, and their columns have fewer bytes than a vector. Returns the number of written rows.
std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

// There must be fewer rows than items in a vector, and from_step must be positive, and at most a vector; most_channels also
// limits the items of from_step. Returns the number of written columns.
std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

}  // namespace broadloom
