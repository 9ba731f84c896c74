// Images [N, ..., C], where operators take [N, C, ...].
#pragma once

#include "core/tensor.h"

namespace broadloom {

// A view of an image with the channels moved from the last axis to axis 1, and back. Ranks below 3 stay.
Tensor channels_to_front(const Tensor& image);
Tensor channels_to_back(const Tensor& image);

}  // namespace broadloom
