// Dims of matrix products, as in numpy.matmul.
#pragma once

#include "core/dims.h"
#include "core/layout.h"

namespace broadloom {

// The number of batch axes: those before the last two, or before a single one.
constexpr std::size_t batch_rank(std::size_t rank) { return rank < 2 ? 0 : rank - 2; }

// How many axes tell the matrices of a second factor apart: none if it has one matrix. Its dims are numbers.
inline std::size_t batch_rank_of_second(const Layout& b) {
  const std::size_t rank = batch_rank(b.dims.size());
  return count_of(b.run_dims().first(rank)) == 1 ? 0 : rank;
}

// The axis of a factor that the product sums over.
constexpr std::size_t summed_axis(std::size_t rank, bool is_second) { return rank - (is_second && rank >= 2 ? 2 : 1); }

// The dims of the product. A list of one axis is a row on the left and a column on the right. Fails for scalars, for batches
// that do not broadcast, and if the columns of `a` differ from the rows of `b`.
Result<SymbolicDims> product_dims(std::span<const Size> a, std::span<const Size> b);

}  // namespace broadloom
