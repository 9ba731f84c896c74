// Planes of few columns or few rows: channels of pixels put side by side, or apart.
#pragma once

#include "kernels/planes.h"

namespace broadloom {

// Both do as much of transpose_plane as can be loaded and stored in vectors, of up to so many channels. The items of a column
// lie side by side in the source (item_step is item_size).
inline constexpr std::size_t most_channels = 8;

// The result's rows lie side by side, and their columns have fewer bytes than a vector. Returns how many rows were written.
std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

// Fewer rows than a vector has items, and from_step goes forwards, by a vector at most; most_channels are for the items of
// from_step, too. Returns how many of the columns were written.
std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

}  // namespace broadloom
