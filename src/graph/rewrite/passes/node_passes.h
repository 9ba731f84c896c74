// The passes that look at one node.
#pragma once

#include "graph/rewrite/rewriter.h"

namespace broadloom {

// Nodes that give what they get: the readers of the node read that, where the pass fires (Rewriter::is_passed_by).
Status eliminate_no_op(Rewriter& rewriter, Node& node);
// All others, one after the other, as long as the node is there.
Status improve(Rewriter& rewriter, Node& node);

// Each is begun (Rewriter::begin) when it is called.
#define NODE_PASS(name, ...) Status name(Rewriter& rewriter, Node& node);
#include "graph/rewrite/passes/passes.inc"

}  // namespace broadloom
