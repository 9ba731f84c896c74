// Planes of few columns or few rows: channels of pixels put side by side, or apart.
#pragma once

#include "kernels/planes.h"

namespace broadloom {

// Both do as much of transpose_plane as can be loaded and stored in vectors. The items of a column lie side by side in the
// source (item_step is item_size).

// Fewer columns than a vector has items, and the result's rows lie side by side. Returns how many of its rows were written.
std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

// Fewer rows than a vector has items, and from_step goes forwards, by a vector at most. Returns how many of the columns were
// written.
std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size);

}  // namespace broadloom
