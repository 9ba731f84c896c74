#include "graph/run/planner/scores.h"

#include "ops/named_operators.h"
#include "ops/shape/transpose.h"

namespace broadloom {
namespace {

bool is_call_of(const PlanStep* step, const Operator& op) {
  return step != nullptr && step->call != nullptr && step->node->op == &op;
}

// The call before the programs that make the value. The programs are added to the changes.
PlanStep* before_changes(PrivateSteps& steps, const Value& value, bool is_before_softmax, RowBlockParts& parts) {
  PlanStep* step = steps.writer_of(value);
  while (step != nullptr && step->program != nullptr) {
    const PlannedProgram& program = *step->program;
    const bool finishes = step->call != nullptr;
    const Value* const scores = finishes ? step->node->outputs[0] : program.last_read;
    if (scores == nullptr || program.result.dtype != Dtype::float32) return nullptr;
    parts.changes.push_back({step, &*steps.known(*scores).tensor.storage, is_before_softmax});
    if (finishes) return step;
    step = steps.writer_of(*scores, true);
  }
  return step;
}

// The order of axes of a node that is a Transpose; nothing for others.
std::optional<Dims> order_of_transpose(const Node* node, std::size_t rank) {
  if (node == nullptr || node->op != &op::transpose) return {};
  return find_order(*node->version, node->attributes, rank);
}

}  // namespace

std::optional<RowBlockParts> find_scores(PrivateSteps& steps, const Node& node) {
  if (node.op != &op::mat_mul || steps.known(*node.inputs[1]).root == nullptr) return {};
  RowBlockParts found;
  found.softmax = before_changes(steps, *node.inputs[0], false, found);
  if (!is_call_of(found.softmax, op::softmax)) return {};
  const Call& softmax = found.softmax->call->call;
  const std::int64_t axis = softmax.integer("axis");
  if (axis != -1 && axis + 1 != static_cast<std::int64_t>(softmax.outputs[0].dims().size())) return {};
  found.product = before_changes(steps, *found.softmax->node->inputs[0], true, found);
  if (!is_call_of(found.product, op::mat_mul) || found.product->call->packed) return {};
  return found;
}

LayoutRef layout_for_reader(const Value& value, const SymbolicDims& dims) {
  const bool has_reader = value.uses == 1 && value.is_private();
  const std::optional<Dims> order = order_of_transpose(has_reader ? value.last_use : nullptr, dims.size());
  if (!order || (*order)[dims.size() - 1] != static_cast<std::int64_t>(dims.size()) - 1) return dense_layout(dims);
  return layout_before_transpose(dims, order->values());
}

// ---- Repeats ----

std::optional<Repeated> find_repeated(PrivateSteps& steps, const Node& node) {
  if (node.op != &op::mat_mul) return {};
  const Value* value = node.inputs[1];
  const std::optional<Dims> turn = order_of_transpose(value->producer, steps.known(*value).tensor.dims().size());
  if (turn) {
    if (value->uses != 1 || !value->is_private()) return {};
    value = value->producer->inputs[0];
  }
  PlanStep* const step = steps.writer_of(*value);
  if (!is_call_of(step, op::reshape)) return {};
  const Tensor& from = step->call->inputs[0];
  const SymbolicDims& dims = from.dims();
  const SymbolicDims& joined = step->call->made[0].dims();
  const std::size_t rank = dims.size();
  if (rank != joined.size() + 1 || rank < 4 || rank > 5) return {};
  if (dims[rank - 1] != joined[rank - 2] || dims[rank - 2] != joined[rank - 3]) return {};
  Repeated found{step, from};
  if (!turn) return found;
  // Its last two axes change places: the first one stays, and the last two come from each other.
  const auto last = static_cast<std::int64_t>(rank) - 2;
  if ((*turn)[0] != 0 || (*turn)[rank - 2] != last - 1 || (*turn)[rank - 3] != last) return {};
  Layout turned = *from.layout;
  std::swap(turned.dims[rank - 1], turned.dims[rank - 2]);
  std::swap(turned.strides[rank - 1], turned.strides[rank - 2]);
  found.tensor.layout = turned;
  return found;
}

bool Repeated::split(Tensor& first, Tensor& result) const {
  std::optional<LayoutRef> layouts[2];
  Tensor* const tensors[] = {&first, &result};
  for (std::size_t k = 0; k < 2; ++k) {
    const Tensor& whole = *tensors[k];
    SymbolicDims dims = tensor.dims();
    const std::size_t rank = dims.size();
    if (whole.dims().size() + 1 != rank) return false;
    for (std::size_t i = 1; i <= 2; ++i) dims[rank - i] = whole.dims()[rank - 1 - i];
    if (count_of(dims.values()) != whole.count()) return false;
    layouts[k] = reshape(whole.layout, dims);
    if (!layouts[k]) return false;
  }
  first.layout = std::move(*layouts[0]);
  result.layout = std::move(*layouts[1]);
  return true;
}

}  // namespace broadloom
