// Pools whose windows end at masked elements.
#pragma once

#include <cstdint>
#include <span>

#include "core/status.h"
#include "kernels/convolution/sliding.h"

namespace broadloom {

// Writes the largest element of each window of a row-major plane, densely. A mask of the plane has 0 for an element that ends
// its row of the window: neither it nor the elements after it on the last axis count. NaNs do not count either. Windows without
// an element that counts have the lowest number.
Status pool_masked(float* to, const float* plane, const std::int32_t* mask, std::span<const SlidingAxis> axes);

}  // namespace broadloom
