#include "graph/joining.h"

#include <algorithm>

#include "ops/operators.h"

namespace broadloom {
namespace {

// So many nodes in a row are computed together: more gain nothing, and each takes stack.
constexpr std::uint8_t most_depth = 12;

bool is_elementwise(const Node& node) {
  if (!node.is_checked() || !node.op->is_elementwise() || node.is_constant || node.outputs.size() != 1) return false;
  InlineVector<Dtype, 8> types(node.inputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr) continue;
    if (value->dtype == Dtype::undefined) return false;
    types[i] = value->dtype;
  }
  const Value* output = node.outputs[0];
  return output != nullptr && output->dtype != Dtype::undefined &&
         has_program(*node.op, *node.version, types.values(), output->dtype);
}

// The only one that reads the value, if it is a node of its graph.
Node* only_reader(const Value& value) {
  const bool is_private = value.reads == 1 && value.captured_by == nullptr && !value.is_kept;
  return is_private ? value.last_use : nullptr;
}

}  // namespace

void join_nodes(Graph& graph) {
  for (Node* node : graph.order) {
    node->is_elementwise = is_elementwise(*node);
    if (!node->is_elementwise) continue;
    std::uint8_t depth = 0;
    for (const Value* input : node->inputs) {
      if (input == nullptr || input->graph != &graph || input->producer == nullptr) continue;
      Node& producer = *input->producer;
      if (!producer.is_elementwise || only_reader(*input) != node || producer.depth == most_depth) continue;
      producer.joins = node;
      depth = std::max(depth, static_cast<std::uint8_t>(producer.depth + 1));
    }
    node->depth = depth;
  }
  // From the end: where a node's reader is computed is known then.
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    Node& node = *graph.order[i];
    node.runs_with = node.joins == nullptr ? &node : node.joins->runs_with;
    if (node.joins == nullptr) {
      const Node* reader = node.is_elementwise ? only_reader(*node.outputs[0]) : nullptr;
      if (reader != nullptr && reader->op == &op::transpose) node.transposed_by = reader;
      continue;
    }
    for (Value* value : node.inputs) {
      if (value == nullptr || value->graph != &graph || value->last_use == nullptr) continue;
      if (value->last_use->position < node.runs_with->position) value->last_use = node.runs_with;
    }
    if (node.outputs[0]->last_use->position < node.runs_with->position) node.outputs[0]->last_use = node.runs_with;
  }
}

}  // namespace broadloom
