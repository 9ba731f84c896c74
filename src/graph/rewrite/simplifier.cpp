#include "graph/rewrite/simplifier.h"

#include <algorithm>

#include "core/limits.h"
#include "core/memory.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "graph/rewrite/passes/node_passes.h"

namespace broadloom {
namespace {

// On the way down, nodes are replaced and changed; what can be computed is.
Status rewrite(Rewriter& rewriter, Graph& graph) {
  PassScope scope{graph};
  PassScope* outer = rewriter.enter(&scope);
  scope.is_unrolling = outer != nullptr && outer->is_unrolling;
  rewriter.add_constants(graph);
  eliminate_duplicate_initializers(rewriter);
  BROADLOOM_CHECK(rewrite(rewriter, graph.order));
  for (GraphOutput& output : graph.outputs) output.value = &rewriter.resolved(*output.value);
  const std::size_t count = scope.first.size() + scope.kept.size();
  BROADLOOM_CHECK(require_memory(count, sizeof(void*)));
  graph.order = rewriter.model().arena.make_list<Node*>(count);
  std::copy(scope.kept.begin(), scope.kept.end(), std::copy(scope.first.begin(), scope.first.end(), graph.order.begin()));
  rewriter.enter(outer);
  return {};
}

}  // namespace

Status rewrite(Rewriter& rewriter, std::span<Node* const> nodes) {
  std::vector<std::span<Node* const>>& coming = rewriter.scope().coming;
  coming.push_back(nodes);
  while (!coming.back().empty()) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(Watch::check(Watch::of_node));
    Node& node = *coming.back().front();
    coming.back() = coming.back().subspan(1);
    BROADLOOM_CHECK(rewrite(rewriter, node));
    rewriter.check(nullptr);
  }
  coming.pop_back();
  return {};
}

Status rewrite(Rewriter& rewriter, Node& node) {
  if (node.is_constant) return extract_constant(rewriter, node) ? Status() : rewriter.keep(node);
  rewriter.resolve_inputs(node);
  if (node.position == Rewriter::new_position) BROADLOOM_CHECK(rewriter.infer(node));
  BROADLOOM_CHECK(eliminate_no_op(rewriter, node));
  if (rewriter.is_passed_by(node)) {
    rewriter.remove(node);
    return {};
  }
  BROADLOOM_CHECK(fold_constants(rewriter, node));
  const bool is_computed = !node.outputs.empty() && rewriter.are_constants(node);
  // One with graphs may stay all the same, with what these read.
  if (is_computed && node.graphs.empty()) return rewriter.keep(node);
  BROADLOOM_TRY(is_inlined, inline_if(rewriter, node));
  if (is_inlined) return {};
  if (!is_computed) {
    BROADLOOM_TRY(is_unrolled, unroll_loop(rewriter, node));
    if (is_unrolled) return {};
  }
  for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(rewrite(rewriter, *subgraph.graph));
  if (is_computed) return rewriter.keep(node);
  BROADLOOM_CHECK(improve(rewriter, node));
  // A change may have made it one that changes nothing.
  if (!rewriter.is_passed_by(node)) BROADLOOM_CHECK(eliminate_no_op(rewriter, node));
  if (!rewriter.is_passed_by(node) && !eliminate_common_subexpression(rewriter, node)) return rewriter.keep(node);
  rewriter.remove(node);
  return {};
}

Result<bool> simplify(Model& model, ShapeInference& inference, const SimplifyOptions& options, SimplifyProgress& progress) {
  BROADLOOM_CHECK(require_memory(model.frame_size, 2 * (sizeof(void*) + sizeof(Tensor))));
  Rewriter rewriter(model, inference, options, progress);
  rewriter.add_new_values();
  BROADLOOM_CHECK(decide_conditions(rewriter));
  BROADLOOM_CHECK(rewrite(rewriter, *model.graph));
  BROADLOOM_CHECK(eliminate_dead_code(rewriter));
  return rewriter.has_changed();
}

}  // namespace broadloom
