// The passes that look at more than one node, or at graphs within nodes.
#pragma once

#include "graph/rewrite/rewriter.h"

namespace broadloom {

// Where one value of a condition makes every run fail, the condition has the other one.
Status decide_conditions(Rewriter& rewriter);
// Puts the nodes of the branch that is taken in the place of an If. False where the node stays.
Result<bool> inline_if(Rewriter& rewriter, Node& node);
// Writes a Loop out. False where the node stays.
Result<bool> unroll_loop(Rewriter& rewriter, Node& node);

// Computes what the node makes, where that is the same in every run.
Status fold_constants(Rewriter& rewriter, Node& node);
// Computes a node whose inputs are all constants, if it runs here.
Status evaluate(Rewriter& rewriter, Node& node);
// Writes what a computed node makes as initializers, or the node as a Constant. False where the node stays.
Result<bool> materialise(Rewriter& rewriter, Node& node, const std::vector<bool>& needed);
// Takes the node of a constant away. False where it stays.
bool extract_constant(Rewriter& rewriter, const Node& node);

// Replaces initializers with equal elements by one of them.
void eliminate_duplicate_initializers(Rewriter& rewriter);
// Whether another node does the same with the same: then its outputs are read. So are those of a node that makes a list of the
// same sizes.
bool eliminate_common_subexpression(Rewriter& rewriter, Node& node);

// From the outputs up: drops what nobody reads, and writes what was computed.
Status eliminate_dead_code(Rewriter& rewriter);

}  // namespace broadloom
