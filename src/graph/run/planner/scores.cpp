#include "graph/run/planner/scores.h"

#include <algorithm>

#include "ops/named_operators.h"
#include "ops/shape/transpose.h"

namespace broadloom {
namespace {

bool is_call_of(const PlanStep* step, const Operator& op) {
  return step != nullptr && step->call != nullptr && step->node->op == &op;
}

bool is_along_rows(const Call& softmax) {
  const auto rank = static_cast<std::int64_t>(softmax.outputs[0].dims().size());
  const std::int64_t axis = softmax.integer("axis");
  return axis == -1 || axis == rank - 1;
}

// The call before the programs that make the value, whose changes are added from the last one to the first.
PlanStep* before_changes(PrivateSteps& steps, const Value& value, bool is_before_softmax,
                         std::vector<Scores::Change>& changes) {
  PlanStep* step = steps.writer_of(value);
  while (step != nullptr && step->program != nullptr) {
    const bool finishes = step->call != nullptr;
    // What is added to scores was there before them.
    const Value* const scores = finishes ? step->node->outputs[0] : steps.last_read(*step->program);
    if (scores == nullptr || step->program->result.dtype != Dtype::float32) return nullptr;
    changes.push_back({step, finishes ? step->call->made[0].storage : steps.known(*scores).tensor.storage, is_before_softmax});
    if (finishes) return step;
    step = steps.writer_of(*scores, true);
  }
  return step;
}

}  // namespace

std::optional<Scores> find_scores(PrivateSteps& steps, const Node& node) {
  if (node.op != &op::mat_mul || steps.known(*node.inputs[1]).root == nullptr) return {};
  Scores found;
  found.softmax = before_changes(steps, *node.inputs[0], false, found.changes);
  if (!is_call_of(found.softmax, op::softmax) || !is_along_rows(found.softmax->call->call)) return {};
  found.product = before_changes(steps, *found.softmax->node->inputs[0], true, found.changes);
  if (!is_call_of(found.product, op::mat_mul) || found.product->call->packed) return {};
  std::reverse(found.changes.begin(), found.changes.end());
  return found;
}

RowBlockParts Scores::parts(const Tensor& weights, const Tensor& value, const Tensor& output) const {
  const PlannedCall& call = *product->call;
  RowBlockParts parts{call.inputs[0], call.inputs[1], call.made[0], weights, value, output, {}};
  for (const auto& [step, scores, is_before_softmax] : changes) {
    const PlannedProgram& program = *step->program;
    parts.changes.push_back({program.routine, program.operands, *scores, is_before_softmax});
  }
  return parts;
}

void Scores::give_to(const Node& by, PrivateSteps& steps) const {
  steps.give(*product, by);
  steps.give(*softmax, by);
  for (const Change& change : changes) steps.give(*change.step, by);
}

LayoutRef layout_for_reader(const Value& value, const SymbolicDims& dims) {
  const Node* const reader = value.uses == 1 && value.is_private() ? value.last_use : nullptr;
  const auto order = reader == nullptr || reader->op != &op::transpose
                         ? std::nullopt
                         : find_order(*reader->version, reader->attributes, dims.size());
  if (!order || (*order)[dims.size() - 1] != static_cast<std::int64_t>(dims.size()) - 1) return dense_layout(dims);
  SymbolicDims written = dims;
  Dims back(order->size());
  for (std::size_t i = 0; i < order->size(); ++i) {
    const auto axis = in_memory((*order)[i]);
    written[i] = dims[axis];
    back[axis] = static_cast<std::int64_t>(i);
  }
  return transposed_layout(dense_layout(written), back);
}

// ---- Repeats ----

std::optional<Repeated> find_repeated(PrivateSteps& steps, const Node& node) {
  if (node.op != &op::mat_mul) return {};
  const Value* value = node.inputs[1];
  const Node* const turn = value->producer != nullptr && value->producer->op == &op::transpose ? value->producer : nullptr;
  if (turn != nullptr) {
    if (value->uses != 1 || !value->is_private()) return {};
    value = turn->inputs[0];
  }
  PlanStep* const step = steps.writer_of(*value);
  if (!is_call_of(step, op::reshape) || step->program != nullptr) return {};
  const Tensor& from = step->call->inputs[0];
  const SymbolicDims& dims = from.dims();
  const SymbolicDims& joined = step->call->made[0].dims();
  const std::size_t rank = dims.size();
  if (rank != joined.size() + 1 || rank < 4) return {};
  for (std::size_t i = 1; i <= 2; ++i) {
    if (dims[rank - i] != joined[rank - 1 - i]) return {};
  }
  Repeated found{step, from};
  if (turn == nullptr) return found;
  Dims order(rank);
  const std::optional<Dims> turned = find_order(*turn->version, turn->attributes, rank - 1);
  for (std::size_t i = 0; i + 1 < rank; ++i) {
    const std::size_t wanted = i + 3 == rank ? i + 1 : i + 2 == rank ? i - 1 : i;
    if (!turned || (*turned)[i] != static_cast<std::int64_t>(wanted)) return {};
  }
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(i);
  std::swap(order[rank - 1], order[rank - 2]);
  found.tensor.layout = transposed_layout(from.layout, order.values());
  return found;
}

std::optional<Tensor> Repeated::split(const Tensor& first, Tensor& result) const {
  const auto split = [&](const Tensor& whole) -> std::optional<LayoutRef> {
    SymbolicDims dims = tensor.dims();
    const std::size_t rank = dims.size();
    if (whole.dims().size() + 1 != rank) return {};
    for (std::size_t i = 1; i <= 2; ++i) dims[rank - i] = whole.dims()[rank - 1 - i];
    return count_of(dims.values()) == whole.count() ? reshape(whole.layout, dims) : std::nullopt;
  };
  std::optional<LayoutRef> of_first = split(first);
  std::optional<LayoutRef> of_result = split(result);
  if (!of_first || !of_result) return {};
  Tensor found = first;
  found.layout = std::move(*of_first);
  result.layout = std::move(*of_result);
  return found;
}

}  // namespace broadloom
