// An image from the columns of its blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"

namespace broadloom {

// The blocks along an axis of the image.
struct BlockAxis {
  std::int64_t image;
  std::int64_t block;
  std::int64_t dilation;
  std::int64_t stride;
  std::int64_t before;  // elements that blocks may reach before the image
  std::int64_t count;   // of blocks, at least 1
  // The state of a walk: the element of the block, and the block.
  std::int64_t place = 0;
  std::int64_t at = 0;
};

// Adds all columns of a channel to its part of the image: one for each element of a block, in row-major order, with an element
// of each block. There is at least one axis. Integers wrap around, bools are "or". Not for strings, nor for float16 and
// bfloat16. Returns the end of the columns.
const std::byte* add_columns(std::byte* image, const std::byte* columns, std::span<BlockAxis> axes, Dtype dtype);

}  // namespace broadloom
