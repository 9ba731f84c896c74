// Where by a negated condition.
#include <utility>

#include "graph/passes/elements.h"
#include "graph/passes/node_passes.h"
#include "ops/operators.h"

namespace broadloom {

// Before: y = Where(Not(c), a, b).  After: y = Where(c, b, a)
// Some runtimes add 0 to floats of one side: of its -0 nothing is left. So it is a fusion of those.
Status merge_not_where(Rewriter& rewriter, Node& node) {
  const Pass pass = is_whole(node.outputs[0]->dtype) ? Pass::merge_not_where : Pass::fuse_not_into_where;
  const Node* inner = rewriter.made_by(node.inputs[0], op::logical_not);
  if (inner == nullptr || pass != rewriter.pass()) return {};
  Value* inputs[] = {inner->inputs[0], node.inputs[2], node.inputs[1]};
  rewriter.set_inputs(node, inputs);
  rewriter.changed();
  return {};
}

}  // namespace broadloom
