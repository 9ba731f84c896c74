// The order in which the nodes of a graph run.
#pragma once

#include "graph/structure/model.h"

namespace broadloom {

// Sets graph.order, and the last use of each of the graph's values. Each node comes after the producers of the values that it
// and its subgraphs read. A valid order in the file stays; otherwise the model gets a warning. Fails for
// a cycle.
Status set_order(Model& model, Graph& graph);

}  // namespace broadloom
