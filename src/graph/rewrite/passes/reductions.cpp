// Reductions whose axes come back.
#include "graph/rewrite/passes/node_passes.h"

namespace broadloom {

// Before: y = Unsqueeze(ReduceSum(x, a, keepdims = 0), a).  After: y = ReduceSum(x, a, keepdims = 1)
Status merge_reduce_unsqueeze(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.has_one_reader(*node.inputs[0]) ? rewriter.made_by(node.inputs[0]) : nullptr;
  if (inner == nullptr || !inner->is_checked() || !inner->op->name.starts_with("Reduce") || inner->opset != node.opset)
    return {};
  if (inner->attributes.find_int("keepdims") != 0) return {};
  // Both lists count in the same rank.
  const std::optional<Dims> axes = rewriter.integers(node, "axes");
  if (!axes || axes->size() == 0 || axes != rewriter.integers(*inner, "axes")) return {};
  rewriter.become(node, *inner->op, inner->inputs);
  node.attributes = inner->attributes;
  set_attribute(node, "keepdims").integer = 1;
  rewriter.changed();
  return {};
}

}  // namespace broadloom
