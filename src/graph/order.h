// The order in which the nodes of a graph run.
#pragma once

#include "graph/model.h"

namespace broadloom {

// Sets graph.order, and the last use of each of the graph's values: each node comes after those that make what it reads, also
// in graphs of its own. The file's order stays where it is such an order; where it is not, the model gets a warning. Fails for
// a cycle.
Status set_order(Model& model, Graph& graph);

}  // namespace broadloom
