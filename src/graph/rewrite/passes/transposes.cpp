// Transposes that turn nothing, and two in a row.
#include "core/count.h"
#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"
#include "ops/shape/transpose.h"

namespace broadloom {
namespace {

// The order that a Transpose puts axes in, if it says so, or if the rank of its input is known, which is that of `ranked`.
std::optional<Dims> order_of(const Node& node, const Tensor& ranked) {
  const Tensor* perm = node.attributes.find_tensor("perm");
  if (perm == nullptr && !ranked.is_ranked()) return {};
  const auto rank = perm != nullptr ? in_memory(perm->count()) : ranked.dims().size();
  return rank > most_axes ? std::nullopt : find_order(*node.version, node.attributes, rank);
}

}  // namespace

// Before: y = Transpose(x, perm = [0, 1, ...]).  After: x
Status eliminate_nop_transpose(Rewriter& rewriter, Node& node) {
  const std::optional<Dims> order = order_of(node, rewriter.facts(*node.inputs[0]));
  if (!order) return {};
  for (std::size_t i = 0; i < order->size(); ++i) {
    if ((*order)[i] != static_cast<std::int64_t>(i)) return {};
  }
  rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Transpose(Transpose(x, p), q).  After: y = Transpose(x, p[q])
Status merge_transposes(Rewriter& rewriter, Node& node) {
  Node* inner = rewriter.made_by(node.inputs[0], op::transpose);
  if (inner == nullptr) return {};
  const std::optional<Dims> second = order_of(node, rewriter.facts(*node.inputs[0]));
  const std::optional<Dims> first = order_of(*inner, rewriter.facts(*inner->outputs[0]));
  if (!first || !second || first->size() != second->size()) return {};
  Dims order(second->size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = (*first)[in_memory((*second)[i])];
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(perm, make_vector(order.values()));
  Value* inputs[] = {&rewriter.resolved(*inner->inputs[0])};
  if (!rewriter.become(node, op::transpose, inputs)) return {};
  set_attribute(node, "perm", std::move(perm));
  rewriter.changed();
  return {};
}

}  // namespace broadloom
