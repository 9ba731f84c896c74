#include "graph/fusion.h"

#include <algorithm>

#include "ops/elementwise.h"
#include "ops/operators.h"
#include "ops/transpose.h"

namespace broadloom {
namespace {

// The most nodes in a fused chain: longer chains gain nothing, and each node takes stack.
constexpr std::uint8_t most_chained = 12;

bool is_elementwise(const Node& node) {
  if (!node.is_checked() || !node.op->is_elementwise() || node.is_constant || node.outputs.size() != 1) return false;
  ElementTypes types(node.inputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr) continue;
    if (value->dtype == Dtype::undefined) return false;
    types[i] = ElementType(value->dtype);
  }
  const Value* output = node.outputs[0];
  return output != nullptr && output->dtype != Dtype::undefined &&
         has_program(*node.op, *node.version, types.values(), output->dtype);
}

// The only reader of the value, if it is a node of the value's graph.
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
      if (!producer.is_elementwise || only_reader(*input) != node || producer.depth == most_chained) continue;
      producer.fused_into = node;
      depth = std::max(depth, static_cast<std::uint8_t>(producer.depth + 1));
    }
    node->depth = depth;
  }
  // From the end, so that a node's reader is handled before it.
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    Node& node = *graph.order[i];
    node.fusion_root = node.fused_into == nullptr ? &node : node.fused_into->fusion_root;
    if (node.fused_into == nullptr) {
      const Node* reader = node.is_elementwise ? only_reader(*node.outputs[0]) : nullptr;
      if (reader != nullptr && reader->op == &op::transpose) node.transposed_by = reader;
      continue;
    }
    for (Value* value : node.inputs) {
      if (value == nullptr || value->graph != &graph || value->last_use == nullptr) continue;
      if (value->last_use->position < node.fusion_root->position) value->last_use = node.fusion_root;
    }
    if (node.outputs[0]->last_use->position < node.fusion_root->position) node.outputs[0]->last_use = node.fusion_root;
  }
}

// `operands` and `values` are the numbers that the program will need in addition.
Result<Program::Value> FusedProgram::add(const Node& node, const Dims& dims, std::size_t operands, std::size_t values,
                                         FusionTensors& tensors) {
  Program::Value added[Program::most_operands];
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  values += node.op->most_added(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr) continue;
    Tensor& tensor = tensors.at(*value);
    inputs[i] = &tensor;
    if (tensors.is_waiting(value)) {
      const Node& producer = *value->producer;
      const std::size_t others = operands + inputs.size() - i - 1;
      const bool has_room =
          program.has_room(others + producer.inputs.size(), values + others + producer.op->most_added(producer.inputs.size()));
      if (has_room && tensor.dims() == dims) {
        BROADLOOM_TRY(element, add(producer, dims, others, values + others, tensors));
        added[i] = element;
        continue;
      }
      BROADLOOM_CHECK(tensors.compute_fused(producer));
    }
    BROADLOOM_CHECK(tensors.give_elements(*value));
    values_[count_] = value;
    operands_[count_++] = &tensor;
    added[i] = add_operand(program, tensor, dims);
  }
  const Call call{*node.version, inputs.values(), node.attributes, node.output_types, {}};
  return add_elements(*node.op, call, program, {added, inputs.size()});
}

Status FusedProgram::build(const Node& node, const Tensor& output, FusionTensors& tensors) {
  BROADLOOM_TRY(elements, checked_count(output.dims()));
  const Dims output_dims(output.run_dims());
  BROADLOOM_TRY(value, add(node, output_dims, 0, 0, tensors));
  result = value;
  // If operands are smaller than the result, they are transposed instead of it, so the Transpose after it gets its elements in
  // order. This takes 0.8 of the time for normalising [224, 224, 3] of uint8.
  const bool is_larger = program.operand_bytes() < elements * static_cast<std::int64_t>(item_size(output.dtype));
  // If the Transpose is invalid, its own call reports that.
  const Node* last = is_larger ? node.transposed_by : nullptr;
  auto order = last == nullptr ? std::nullopt : find_order(*last->version, last->attributes, output_dims.size());
  for (std::size_t i = 0; i < count_ && last == nullptr && !order; ++i) {
    const LayoutRef* of_operand = order_of(*operands_[i], output.dims());
    if (of_operand != nullptr) order = order_of_axes(*of_operand);
  }
  dims_ = output_dims;
  layout_ = dense_layout(dims_);
  if (!order || order->empty()) return {};
  program.transpose(*order);
  Dims back(order->size());
  for (std::size_t i = 0; i < order->size(); ++i) {
    const auto axis = static_cast<std::size_t>((*order)[i]);
    dims_[i] = output_dims[axis];
    back[axis] = static_cast<std::int64_t>(i);
  }
  layout_ = transposed_layout(dense_layout(dims_), back);
  return {};
}

}  // namespace broadloom
