// The places of the largest elements of windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/status.h"
#include "kernels/convolution/sliding.h"

namespace broadloom {

// Writes the largest element of each window of `planes` row-major planes, densely, and its number: in row-major order among all
// elements, or, if it is `by_columns`, in column-major order within its plane. Of equal elements it is the first one in
// row-major order. A maximum is NaN if an element is. A window without elements has `lowest`, and the number -1.
Status find_maxima(double* to, std::int64_t* numbers, const double* from, std::size_t planes, std::span<const SlidingAxis> axes,
                   double lowest, bool by_columns);

}  // namespace broadloom
