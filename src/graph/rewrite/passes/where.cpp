// Where by a negated condition.
#include <utility>

#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

namespace {

Status merge_not(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.made_by(node.inputs[0], op::logical_not);
  if (inner == nullptr) return {};
  Value* inputs[] = {inner->inputs[0], node.inputs[2], node.inputs[1]};
  rewriter.set_inputs(node, inputs);
  rewriter.changed();
  return {};
}

}  // namespace

// Before: y = Where(Not(c), a, b) of integers.  After: y = Where(c, b, a)
Status merge_not_where(Rewriter& rewriter, Node& node) {
  return is_whole(node.outputs[0]->dtype) ? merge_not(rewriter, node) : Status();
}

// Before: y = Where(Not(c), a, b) of floats.  After: y = Where(c, b, a)
// Some runtimes add 0 to floats of one side: of its -0 nothing is left.
Status fuse_not_into_where(Rewriter& rewriter, Node& node) {
  return is_whole(node.outputs[0]->dtype) ? Status() : merge_not(rewriter, node);
}

}  // namespace broadloom
