// Targets of Reshape and Expand that are computed, though enough is known of them.
#include <algorithm>

#include "core/count.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

namespace {

// The constant says the same: -1 for one size that follows from the others, and what stands for the input's own size at its
// axis.
Status fold_target(Rewriter& rewriter, Node& node) {
  if (node.inputs.size() != 2 || node.inputs[1] == nullptr || rewriter.constant(node.inputs[1]) != nullptr) return {};
  const Tensor& data = rewriter.facts(*node.inputs[0]);
  const Tensor& made = rewriter.facts(*node.outputs[0]);
  if (!made.is_ranked() || node.inputs[1]->initializer != nullptr) return {};
  const bool is_expand = node.op == &op::expand;
  const std::size_t rank = made.dims().size();
  // The axes of the input stand at the end in an Expand.
  const std::size_t added = is_expand && data.is_ranked() ? rank - std::min(rank, data.dims().size()) : 0;
  if (is_expand && !data.is_ranked()) return {};
  const bool copies_zeros = !is_expand && node.attributes.find_int("allowzero").value_or(0) == 0;
  Dims target(rank);
  std::size_t unknown = 0;
  bool has_zero = false;
  for (std::size_t i = 0; i < rank; ++i) {
    const Size size = made.dims()[i];
    const bool has_axis = data.is_ranked() && i >= added && i - added < data.dims().size();
    const bool is_own = has_axis && size != unknown_size && data.dims()[i - added] == size;
    if (size.is_number()) {
      target[i] = size.number();
      has_zero = has_zero || size == 0;
    } else if (is_own && (is_expand || copies_zeros)) {
      target[i] = is_expand ? 1 : 0;
    } else {
      target[i] = -1;
      ++unknown;
    }
  }
  if (!is_expand) {
    // Where one size alone is not known, it is what the others leave. Beside copied ones it is not: should one of them be 0,
    // any size would do.
    const auto copied = std::count(target.begin(), target.end(), 0);
    if (has_zero || unknown + in_memory(copied > 0 ? 1 : 0) > 1) return {};
    if (copied == 1) std::replace(target.begin(), target.end(), std::int64_t{0}, std::int64_t{-1});
  } else if (unknown > 0) {
    return {};
  }
  BROADLOOM_TRY(shape, rewriter.new_integers(node.inputs[1]->name, target));
  rewriter.read(node, 1, *shape);
  return {};
}

}  // namespace

// Before: y = Reshape(x, computed), with one size unknown at most.  After: y = Reshape(x, [.., -1, ..])
Status fold_reshape_target(Rewriter& rewriter, Node& node) { return fold_target(rewriter, node); }

// Before: y = Expand(x, computed).  After: y = Expand(x, [.., 1, ..])
Status fold_expand_target(Rewriter& rewriter, Node& node) { return fold_target(rewriter, node); }

}  // namespace broadloom
