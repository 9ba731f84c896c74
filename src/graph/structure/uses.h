// Who reads a value: `uses` and `captures` of Value are exact as soon as a graph has its order, and through all rewriting.
#pragma once

#include <cassert>

#include "graph/structure/graph.h"

namespace broadloom {

// Counts a reader in the graph: an input of one of its nodes, or one of its outputs that a graph around it makes.
inline void add_use(Value& value, const Graph& reader) { ++(value.graph == &reader ? value.uses : value.captures); }

// Counts a reader no longer.
inline void remove_use(Value& value, const Graph& reader) {
  std::uint32_t& count = value.graph == &reader ? value.uses : value.captures;
  assert(count > 0);
  --count;
}

// Counts what the nodes and outputs of a graph read. Those of graphs within are not counted with it.
inline void count_uses(const Graph& graph) {
  for (const Node* node : graph.order) {
    for (Value* input : node->inputs) {
      if (input != nullptr) add_use(*input, graph);
    }
  }
  for (const GraphOutput& output : graph.outputs) {
    if (output.value->graph != &graph) add_use(*output.value, graph);
  }
}

}  // namespace broadloom
