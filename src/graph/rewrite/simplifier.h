// Makes a model's graphs smaller without changing what they compute: one round of all passes.
#pragma once

#include "graph/rewrite/rewriter.h"

namespace broadloom {

// One round over a model that was read to be written again, or copied. Returns whether another round may find more. Afterwards,
// the order of each graph lists the nodes that are left; what of its values is needed says so. Results of the model are the
// same, as `options` say what passes keep. Nodes of domains that are not known are left as they are. `inference` has run, and
// needed proofs.
Result<bool> simplify(Model& model, ShapeInference& inference, const SimplifyOptions& options, SimplifyProgress& progress);

// For passes that put other nodes into the graph: what the passes make of one of these is kept.
Status rewrite(Rewriter& rewriter, Node& node);
// Keeps what the passes make of several nodes, in the order in which these run.
Status rewrite(Rewriter& rewriter, std::span<Node* const> nodes);

}  // namespace broadloom
