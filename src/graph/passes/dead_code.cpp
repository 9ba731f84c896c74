// Dead code: from the outputs up, nodes that nobody reads go, and computed values become initializers if they are small enough.
#include <algorithm>

#include "core/memory.h"
#include "graph/passes/graph_passes.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

void need(Value* value) {
  if (value != nullptr) value->is_needed = true;
}

Status sweep(Rewriter& rewriter, Graph& graph) {
  PassScope scope{graph};
  PassScope* const outer = rewriter.enter(&scope);
  for (const GraphOutput& output : graph.outputs) {
    if (!output.is_dropped) need(output.value);
  }
  for (const GraphInput& input : graph.inputs) {
    if (graph.is_of_unknown()) need(input.value);
  }
  for (const NamedValue& named : graph.named) need(named.value);
  for (const Annotation& annotation : graph.annotations) {
    if (!annotation.is_needed) continue;
    for (const NamedValue& named : annotation.named) need(named.value);
  }
  if (rewriter.is_skipped(Pass::eliminate_unused_initializer)) {
    for (const Initializer& initializer : graph.initializers) need(initializer.value);
  }
  std::size_t first = graph.order.size();
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    BROADLOOM_CHECK(require_memory());
    Node& node = *graph.order[i];
    const bool is_needed =
        node.outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(),
                                            [](const Value* value) { return value != nullptr && value->is_needed; });
    const bool is_computed = !node.is_constant && rewriter.are_constants(node) && !node.outputs.empty() &&
                             (rewriter.drops_failures() || rewriter.reads_constants(node));
    const bool is_dropped_unread =
        is_computed || node.is_constant || node.is_replaced || !rewriter.is_skipped(Pass::eliminate_dead_code);
    if (!is_needed && is_dropped_unread) {
      if (node.record != nullptr) rewriter.progress().count(is_computed ? Pass::fold_constants : Pass::eliminate_dead_code);
      if (node.position != Rewriter::new_position) rewriter.dropped();
      continue;
    }
    // One of several outputs that the graph gives stays the node's.
    const bool has_output = std::any_of(node.outputs.begin(), node.outputs.end(),
                                        [](const Value* value) { return value != nullptr && value->is_output; });
    if (is_computed && (!has_output || node.outputs.size() == 1)) {
      BROADLOOM_TRY(is_dropped, materialise(rewriter, node));
      if (is_dropped || node.op == &op::constant) rewriter.changed(Pass::fold_constants);
      if (is_dropped) continue;
    }
    for (Value* input : node.inputs) need(input);
    for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(sweep(rewriter, *subgraph.graph));
    graph.order[--first] = &node;
  }
  graph.order = graph.order.subspan(first);
  rewriter.enter(outer);
  return {};
}

}  // namespace

// Before: a node whose outputs nobody reads.  After: nothing
// Before: an initializer that nobody reads.  After: nothing
Status eliminate_dead_code(Rewriter& rewriter) {
  Model& model = rewriter.model();
  // A caller may give any input, also one that has a default and that nobody reads.
  for (const GraphInput& input : model.graph->inputs) {
    if (!input.is_dropped) need(input.value);
  }
  BROADLOOM_CHECK(sweep(rewriter, *model.graph));
  for (const Graph& graph : model.graphs()) {
    for (const Initializer& initializer : graph.initializers) {
      const Value& value = *initializer.value;
      if (value.is_needed || value.is_of_constant) continue;
      if (initializer.record != nullptr) rewriter.progress().count(Pass::eliminate_unused_initializer);
      if (rewriter.is_old(value)) rewriter.dropped();
    }
  }
  return {};
}

}  // namespace broadloom
