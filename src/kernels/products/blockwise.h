// Products with weights of few bits, which have scales and zero points for blocks of summed elements.
#pragma once

#include <cstddef>

#include "core/status.h"
#include "kernels/products/panels.h"

namespace broadloom {

// The weights of each column follow each other, block by block: (element - zero point) * scale. Blocks have whole bytes. The
// last one of a column may have more elements than are summed.
struct BlockwiseWeights {
  const std::byte* data;
  std::size_t bits;  // 2, 4 or 8
  std::size_t block_size;
  std::size_t columns;
  std::size_t sums;
  const float* scales;  // of the blocks of each column
  const float* zeros;   // the same, or nullptr: half of the range of an element

  std::size_t blocks() const { return (sums + block_size - 1) / block_size; }
};

// The memory that multiply_blockwise needs, aligned to 16.
std::size_t blockwise_workspace_bytes();

// Writes the product of `rows` dense rows of float32 and the weights, densely. Sums begin with `bias`, which has a number for
// each column and a tile's width of further ones; or with 0, if it is nullptr. Weights are unpacked for some columns and
// elements at a time, so that they stay in the cache.
Status multiply_blockwise(std::byte* to, const std::byte* a, std::size_t rows, const BlockwiseWeights& weights,
                          const std::byte* bias, std::byte* workspace);

}  // namespace broadloom
