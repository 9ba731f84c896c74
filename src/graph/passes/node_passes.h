// The passes that look at one node.
#pragma once

#include "graph/rewriter.h"

namespace broadloom {

// Nodes that give what they get: the readers of the node read that, where the pass fires (Rewriter::is_passed_by).
Status eliminate_no_op(Rewriter& rewriter, Node& node);
// All others, one after the other, as long as the node is there.
Status improve(Rewriter& rewriter, Node& node);

// For runs alone, in files it would be more nodes or others: elementwise nodes, which plans compute at the end of a
// convolution, in place of a BatchNormalization, and of a QuantizeLinear with the DequantizeLinear behind it.
Status split_batch_normalization(Rewriter& rewriter, Node& node);
Status join_quantisation(Rewriter& rewriter, Node& node);

// Each is begun (Rewriter::begin) when it is called.
#define NO_OP(pass, op, needs, function) Status function(Rewriter& rewriter, Node& node);
#define NODE_PASS(pass, op, needs, function) Status function(Rewriter& rewriter, Node& node);
#include "graph/passes/node_passes.inc"

}  // namespace broadloom
