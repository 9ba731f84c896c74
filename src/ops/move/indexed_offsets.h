// Positions of indexed elements, shared by the families of Gather and Scatter.
#pragma once

#include <span>

#include "ops/call/operator.h"

namespace broadloom {

// Iterates over the blocks of a tensor at indices, as offsets in bytes from the tensor's element 0. A block
// has all axes after the indexed ones. Indices may have any layout; negative ones count from
// the end.
class IndexedOffsets {
 public:
  enum class Kind : std::uint8_t {
    // Gather: one list of indices for an axis, for each position on the axes before it. Offsets are ordered by these
    // positions, then by the indices.
    on_axis,
    // GatherElements, ScatterElements: each index is for one axis, and its own coordinates are those on the other axes.
    of_elements,
    // GatherND, ScatterND: the last axis of indices has one for each axis of data from `axis` on; axes before are common.
    of_tuples,
  };
  IndexedOffsets(Kind kind, const Tensor& data, const Tensor& indices, std::size_t axis);

  // The next offsets, at most `most`; none after the last. Fails for an index out of bounds. Must not be called without
  // elements: then the number of positions may be anything.
  static constexpr std::size_t most = 256;
  Result<std::span<const std::ptrdiff_t>> next();

 private:
  struct Walk {
    std::int64_t extent;
    std::int64_t step;        // in data, in elements
    std::int64_t index_step;  // in indices
    std::int64_t at;
  };

  [[gnu::noinline]] void add(std::int64_t extent, std::int64_t step, std::int64_t index_step);
  void advance(std::int64_t count);
  // The error of index number `number`, in row-major order.
  [[gnu::cold]] Failure out_of_bounds(std::int64_t number) const;

  const Tensor& data_;
  const Tensor& indices_;
  std::size_t axis_;       // the first indexed axis
  std::size_t tuple_ = 1;  // the number of indexed axes
  std::int64_t tuple_step_ = 0;

  std::size_t rank_ = 0;
  Walk axes_[MergedAxes::max_rank];
  std::int64_t left_ = 1;
  std::int64_t done_ = 0;
  std::int64_t place_ = 0;  // the current position in data, and below in indices
  std::int64_t index_place_ = 0;
  std::ptrdiff_t offsets_[most];
};

// Rules for the dims of data (input 0) and indices (input 1), as far as they are known.
// For Kind::of_elements: equal ranks, and no axis of indices longer than data's, except the one of attribute 'axis'.
Status check_elements(const Call& call);
// For Kind::of_tuples. Returns the number of the data's axes before the blocks; 0 if it is unknown.
Result<std::size_t> check_tuples(const Call& call, std::int64_t batch_axes);

}  // namespace broadloom
