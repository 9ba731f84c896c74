// Squeezes and Unsqueezes in a row.
#include <vector>

#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/call/arguments.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = Unsqueeze(Unsqueeze(x, a), b); Squeeze, too.  After: y = Unsqueeze(x, a and b)
Status merge_squeezes(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.has_one_reader(*node.inputs[0]) ? rewriter.made_by(node.inputs[0], *node.op) : nullptr;
  if (inner == nullptr || !inner->is_checked() || inner->inputs[0] == nullptr) return {};
  const std::optional<Dims> axes = rewriter.integers(node, "axes");
  const std::optional<Dims> others = rewriter.integers(*inner, "axes");
  const Tensor& before = rewriter.facts(*inner->inputs[0]);
  if (!axes || !others || !before.is_ranked()) return {};
  const bool adds = node.op == &op::unsqueeze;
  const std::size_t rank = before.dims().size();
  // The ranks that the axes count in: of the outputs of an Unsqueeze, of the inputs of a Squeeze.
  const std::size_t inner_rank = adds ? rank + others->size() : rank;
  if (!adds && others->size() > rank) return {};
  const std::size_t outer_rank = adds ? inner_rank + axes->size() : rank - others->size();
  if (inner_rank > most_axes || outer_rank > most_axes) return {};
  const Result<AxisSet> outer_set = resolve_axes("axes", axes->values(), outer_rank);
  const Result<AxisSet> inner_set = outer_set ? resolve_axes("axes", others->values(), inner_rank) : outer_set;
  if (!outer_set || !inner_set) return {};
  const AxisSet& large = adds ? *outer_set : *inner_set;
  const AxisSet& small = adds ? *inner_set : *outer_set;
  std::vector<std::int64_t> list;
  BROADLOOM_CHECK(require_memory());
  std::size_t at = 0;
  for (std::size_t i = 0; i < (adds ? outer_rank : inner_rank); ++i) {
    // The smaller rank counts the axes that the larger one does not name.
    const bool is_named = large[i] || small[at++];
    if (is_named) list.push_back(static_cast<std::int64_t>(i));
  }
  const Operator& op = *node.op;
  Value* data = &rewriter.resolved(*inner->inputs[0]);
  if (node.version->since_version >= 13) {
    BROADLOOM_TRY(given, rewriter.new_integers(node.outputs[0]->name, Dims(std::span<const std::int64_t>(list))));
    Value* inputs[] = {data, given};
    if (!rewriter.become(node, op, inputs)) return {};
  } else {
    BROADLOOM_TRY(tensor, make_vector(list));
    Value* inputs[] = {data};
    if (!rewriter.become(node, op, inputs)) return {};
    set_attribute(node, "axes", std::move(tensor));
  }
  rewriter.changed();
  return {};
}

}  // namespace broadloom
