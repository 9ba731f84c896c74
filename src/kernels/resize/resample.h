// Weighted sums along an axis.
#pragma once

#include "kernels/resize/coordinates.h"

namespace broadloom {

// Dense elements of dims [outer, axis.from, inner] become elements of dims [outer, axis.to, inner], which do not overlap them.
// T is float or double. A sum of no elements is 0.
template <class T>
void resample(std::byte* to, const std::byte* from, const Windows<T>& axis, std::size_t outer, std::size_t inner);

// Rounds numbers to integers, of two as near to the even one, and then to those from `least` to `most`. NaN may become any.
template <class T>
void round_within(std::byte* numbers, std::size_t count, T least, T most);

}  // namespace broadloom
