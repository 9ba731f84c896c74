// Elementwise nodes that are computed together: what lies between them is never written to memory.
#pragma once

#include "graph/graph.h"

namespace broadloom {

// Finds nodes whose one output has a single reader, an elementwise node of the same graph, and sets their `joins`; values that
// they read live until that one has run. Where the reader is a Transpose, sets `transposed_by`. The graph's nodes are in order
// and checked.
void join_nodes(Graph& graph);

}  // namespace broadloom
