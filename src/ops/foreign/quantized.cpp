// Operators on quantized elements.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/shapes/reduction.h"

namespace broadloom {

using namespace foreign;

namespace {

void reduction(Call& call) {
  const bool keeps = integer(call, "keepdims", 1) != 0;
  const IntegerList axes = list(call, "axes");
  const bool takes_all = axes.size() == 0;
  if (takes_all && !keeps) return set(call, 0, {});
  const SymbolicDims* dims = dims_of(call, 0);
  if (dims == nullptr) return;
  if (takes_all) return set(call, 0, SymbolicDims(dims->size(), 1));
  AxisSet reduced;
  for (const Size axis : axes.values) {
    const std::optional<std::size_t> position = axis_at(axis, dims->size());
    if (position) {
      reduced.set(*position);
      continue;
    }
    const std::optional<std::size_t> rank = reduced_rank(dims->size(), axes, keeps);
    return rank ? set_rank(call, 0, *rank) : void();
  }
  set(call, 0, reduced_dims(dims->values(), reduced, keeps));
}

}  // namespace

constinit const Operator op::microsoft::qlinear_reduce_mean =
    microsoft_operator("QLinearReduceMean", by<reduction>, first_input);

}  // namespace broadloom
