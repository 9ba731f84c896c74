#include "ops/dims/reduction.h"

#include <algorithm>

namespace broadloom {

SymbolicDims reduced_dims(std::span<const Size> dims, const AxisSet& reduced, bool keeps) {
  SymbolicDims result(keeps ? dims.size() : dims.size() - reduced.count(), 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (!reduced.test(i)) result[next] = dims[i];
    if (keeps || !reduced.test(i)) ++next;
  }
  return result;
}

std::optional<std::size_t> reduced_rank(std::size_t rank, const IntegerList& axes, bool keeps) {
  if (keeps) return rank;
  if (!axes.has_length || axes.size() > rank) return std::nullopt;
  return rank - axes.size();
}

SymbolicDims statistics_dims(std::span<const Size> dims, std::size_t axis) {
  SymbolicDims result(dims);
  std::fill(result.begin() + axis, result.end(), 1);
  return result;
}

}  // namespace broadloom
