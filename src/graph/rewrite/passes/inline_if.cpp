// Ifs whose condition is known.
#include <algorithm>

#include "core/memory.h"
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "graph/rewrite/simplifier.h"
#include "graph/structure/control_flow.h"
#include "ops/named_operators.h"

namespace broadloom {

// Exporters write an If where they could not know a rank. Often only one branch gives what the nodes behind it can take. Each
// condition takes two looks at the whole model, so there is a limit.
Status decide_conditions(Rewriter& rewriter) {
  if (!rewriter.is_on(Pass::inline_if) || !rewriter.begin(Pass::decide_conditions)) return {};
  constexpr std::size_t most_nodes = std::size_t{1} << 15;
  std::size_t nodes = 0;
  for (const Graph& graph : rewriter.model().graphs()) nodes += graph.nodes.size();
  std::size_t left = nodes == 0 || rewriter.inference().fails() ? 0 : std::min<std::size_t>(most_nodes / nodes, 32);
  const Value* last = nullptr;
  for (const Node* node : rewriter.model().graph->order) {
    if (node->op != &if_operator || left == 0) continue;
    const Value& condition = *node->inputs[0];
    if (condition.producer == nullptr || &condition == last || is_known(rewriter.inference()[condition])) continue;
    last = &condition;
    --left;
    Tensor possible;
    int count = 0;
    for (const bool holds : {false, true}) {
      ShapeInference inference(rewriter.model(), true, rewriter.options().trusts_names);
      inference.assume(condition, holds);
      BROADLOOM_CHECK(inference.run());
      if (inference.fails()) continue;
      possible = inference[condition];
      ++count;
    }
    if (count != 1) continue;
    rewriter.set_constant(*node->inputs[0], std::move(possible));
    rewriter.progress().count(Pass::decide_conditions);
  }
  return {};
}

// Before: y = If(known){a}{b}; where bits are enough, also if all runs with the other branch fail.  After: y = a
Result<bool> inline_if(Rewriter& rewriter, Node& node) {
  if (node.op != &if_operator || !rewriter.begin(Pass::inline_if)) return false;
  const Tensor* decided = rewriter.constant(node.inputs[0]);
  if (decided == nullptr || decided->count() != 1) return false;
  const bool condition = *decided->data() != std::byte{0};
  Graph& graph = rewriter.graph();
  Graph& branch = const_cast<Graph&>(*node.graph(condition ? "then_branch" : "else_branch"));
  rewriter.remove(node);
  rewriter.changed();
  rewriter.add_constants(branch);
  rewriter.take_initializers(branch);
  for (Node* inner : branch.order) {
    BROADLOOM_CHECK(require_memory());
    for (Value* value : inner->outputs) {
      if (value == nullptr) continue;
      value->graph = &graph;
      value->is_output = false;
    }
    for (const Subgraph& subgraph : inner->graphs) subgraph.graph->outer = &graph;
  }
  for (const Node* inner : branch.order) rewriter.add(*inner);
  // Whoever reads the If's outputs will read these.
  const std::size_t holds = rewriter.scope().held.size();
  for (const GraphOutput& output : branch.outputs) rewriter.hold(*output.value);
  BROADLOOM_CHECK(rewrite(rewriter, branch.order));
  rewriter.release_holds(holds);
  std::size_t i = 0;
  for (const GraphOutput& output : branch.outputs) {
    Value* given = node.outputs[i++];
    if (given == nullptr) continue;
    Value& made = rewriter.resolved(*output.value);
    if (rewriter.replace(*given, made)) continue;
    Value* inputs[] = {&made};
    Node& identity = rewriter.new_node(op::identity, inputs, *given, node.opset);
    if (const Tensor* elements = rewriter.constant(&made)) rewriter.set_constant(*given, *elements);
    BROADLOOM_CHECK(rewriter.keep(identity));
  }
  return true;
}

}  // namespace broadloom
