// Weighted sums along an axis.
#pragma once

#include "core/status.h"
#include "kernels/sampling/coordinates.h"

namespace broadloom {

// Dense elements of dims [outer, axis.from, inner] become elements of dims [outer, axis.to, inner], which do not overlap them:
// float or double, as the weights are. A sum of no elements is 0.
Status resample(std::byte* to, const std::byte* from, const Windows& axis, std::size_t outer, std::size_t inner,
                bool are_doubles);

// Rounds floats or doubles to integers, of two as near to the even one, and then to those from `least` to `most`. NaN may
// become any. They may be read and written to the end of their last vector.
void round_within(std::byte* numbers, bool are_doubles, std::size_t count, double least, double most);

}  // namespace broadloom
