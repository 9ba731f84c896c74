// The logarithm of a Softmax.
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = Log(Softmax(x)).  After: y = LogSoftmax(x)
Status fuse_log_softmax(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.made_for(node.inputs[0], op::softmax);
  if (inner == nullptr || inner->opset != node.opset || !rewriter.become(node, op::log_softmax, inner->inputs)) return {};
  node.attributes = inner->attributes;
  rewriter.changed();
  return {};
}

}  // namespace broadloom
