// Where indices point to: shared by the families of Gather and Scatter.
#pragma once

#include <span>

#include "ops/operator.h"

namespace broadloom {

// The blocks of a tensor that indices point at, one after the other, as distances in bytes from the tensor's element 0. A block
// is all that is behind the axes that are counted on. Indices are read where they lie, by any layout; negative ones count from
// the end.
class IndexedOffsets {
 public:
  enum class Kind : std::uint8_t {
    // Gather: one list of indices counts on an axis, for each place on the axes before it. Offsets are in the order of those,
    // then of the indices.
    on_axis,
    // GatherElements, ScatterElements: each index counts on one axis, and its own place tells that on the others.
    of_elements,
    // GatherND, ScatterND: the last axis of indices holds one for each axis of data from `axis` on; those before both have.
    of_tuples,
  };
  IndexedOffsets(Kind kind, const Tensor& data, const Tensor& indices, std::size_t axis);

  // The next ones, at most so many; none after the last. Fails for an index that is out of bounds. Only for what has elements:
  // without them, the number of places may be anything.
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
  // Of index number `number`, in row-major order.
  [[gnu::cold]] Failure out_of_bounds(std::int64_t number) const;

  const Tensor& data_;
  const Tensor& indices_;
  std::size_t axis_;       // the first one that is counted on
  std::size_t tuple_ = 1;  // how many are
  std::int64_t tuple_step_ = 0;

  std::size_t rank_ = 0;
  Walk axes_[MergedAxes::max_rank];
  std::int64_t left_ = 1;
  std::int64_t done_ = 0;
  std::int64_t place_ = 0;  // in data and indices, of what the walk has come to
  std::int64_t index_place_ = 0;
  std::ptrdiff_t offsets_[most];
};

// Rules for the dims of data (input 0) and indices (input 1), as far as they are known.
// Of Kind::of_elements: equally many axes, and none of indices longer than data's, but the one of attribute 'axis'.
Status check_elements(const Call& call);
// Of Kind::of_tuples. Returns the number of the data's axes that come before the blocks; 0 when it is not known yet.
Result<std::size_t> check_tuples(const Call& call, std::int64_t batch_axes);

}  // namespace broadloom
