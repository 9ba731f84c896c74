// Dead code: from the outputs up, nodes that nobody reads go, and computed values become initializers if they are small enough.
#include <algorithm>

#include "core/memory.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

class Sweeper {
 public:
  explicit Sweeper(Rewriter& rewriter) : rewriter_(rewriter), needed_(rewriter.model().frame_size) {}

  void need(const Value* value) {
    if (value != nullptr) needed_[value->place] = true;
  }

  Status sweep(Graph& graph) {
    PassScope scope{graph};
    PassScope* const outer = rewriter_.enter(&scope);
    need_outside_of_nodes(graph);
    std::size_t first = graph.order.size();
    for (std::size_t i = graph.order.size(); i-- > 0;) {
      BROADLOOM_CHECK(require_memory());
      Node& node = *graph.order[i];
      BROADLOOM_TRY(is_left, stays(node));
      if (!is_left) continue;
      for (const Value* input : node.inputs) need(input);
      for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(sweep(*subgraph.graph));
      graph.order[--first] = &node;
    }
    graph.order = graph.order.subspan(first);
    rewriter_.enter(outer);
    return {};
  }

  void drop_initializers(Graph& graph) {
    std::vector<Initializer*> left;
    for (Initializer& one : graph.initializers) {
      Value& value = *one.value;
      if (needed_[value.place] || value.producer != nullptr || value.input != nullptr) {
        left.push_back(&one);
        continue;
      }
      // A node that this round took away was counted then.
      if (!one.is_of_node && one.record != 0) rewriter_.progress().count(Pass::eliminate_unused_initializer);
      if (!one.is_of_node && rewriter_.is_old(value)) rewriter_.dropped();
      value.initializer = nullptr;
      one.tensor = Tensor();  // the arena frees records without calling destructors
      one.sparse.reset();
    }
    if (left.size() < graph.initializers.size()) graph.initializers.assign(left);
  }

 private:
  void need_outside_of_nodes(const Graph& graph) {
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
    if (rewriter_.is_skipped(Pass::eliminate_unused_initializer)) {
      for (const Initializer& initializer : graph.initializers) need(initializer.value);
    }
  }

  // Whether the node stays. Otherwise nobody reads it, or its results are initializers.
  Result<bool> stays(Node& node) {
    const bool is_needed =
        node.outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(),
                                            [&](const Value* value) { return value != nullptr && needed_[value->place]; });
    const bool is_computed = !node.is_constant && rewriter_.are_constants(node) && !node.outputs.empty() &&
                             (rewriter_.drops_failures() || rewriter_.reads_constants(node));
    const bool is_dropped_unread =
        is_computed || node.is_constant || rewriter_.goes_unread(node) || !rewriter_.is_skipped(Pass::eliminate_dead_code);
    if (!is_needed && is_dropped_unread) {
      if (node.record != 0) rewriter_.progress().count(is_computed ? Pass::fold_constants : Pass::eliminate_dead_code);
      if (node.position != Rewriter::new_position) rewriter_.dropped();
      return false;
    }
    // One of several outputs that the graph gives stays the node's.
    const bool has_output = std::any_of(node.outputs.begin(), node.outputs.end(),
                                        [](const Value* value) { return value != nullptr && value->is_output; });
    if (!is_computed || (has_output && node.outputs.size() > 1)) return true;
    BROADLOOM_TRY(is_dropped, materialise(rewriter_, node, needed_));
    if (is_dropped || node.op == &op::constant) rewriter_.changed(Pass::fold_constants);
    return !is_dropped;
  }

  Rewriter& rewriter_;
  std::vector<bool> needed_;  // by place
};

}  // namespace

// Before: a node whose outputs nobody reads.  After: nothing
// Before: an initializer that nobody reads.  After: nothing
Status eliminate_dead_code(Rewriter& rewriter) {
  Model& model = rewriter.model();
  BROADLOOM_CHECK(require_memory(model.frame_size, 1));
  Sweeper sweeper(rewriter);
  // A caller may give any input, also one that has a default and that nobody reads.
  for (const GraphInput& input : model.graph->inputs) {
    if (!input.is_dropped) sweeper.need(input.value);
  }
  BROADLOOM_CHECK(sweeper.sweep(*model.graph));
  for (Graph& graph : model.graphs()) {
    BROADLOOM_CHECK(require_memory(graph.initializers.size(), 2 * sizeof(void*)));
    sweeper.drop_initializers(graph);
  }
  return {};
}

}  // namespace broadloom
