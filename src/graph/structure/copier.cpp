#include "graph/structure/copier.h"

#include <algorithm>

#include "core/memory.h"
#include "graph/structure/uses.h"

namespace broadloom {

Value* Copier::copy_of(Value* value) const {
  const bool has_copy = value != nullptr && value->place < copies_.size() && copies_[value->place] != nullptr;
  return has_copy ? copies_[value->place] : value;
}

Value& Copier::copy(const Value& value, Graph& graph) {
  Value& result = *model_.arena.make_list<Value>(1).data();
  result = value;
  result.place = model_.frame_size++;
  result.graph = &graph;
  result.producer = nullptr;
  result.last_use = nullptr;
  result.input = nullptr;
  result.initializer = nullptr;
  result.declared = nullptr;
  result.uses = result.captures = 0;
  set(value, result);
  return result;
}

void Copier::copy(const ValueInfo& from, ValueInfo& to) {
  to.name = from.name;
  to.kind = from.kind;
  to.dtype = from.dtype;
  to.has_shape = from.has_shape;
  to.record = from.record;
  for (const Dimension& dim : from.dims) {
    Dimension& added = to.dims.add(model_.arena);
    added.value = dim.value;
    added.name = dim.name;
    added.symbol = dim.symbol;
    added.is_given = dim.is_given;
  }
}

Initializer& Copier::copy(const Initializer& from, Value& value) {
  Initializer& result = value.graph->initializers.add(model_.arena);
  result.value = &value;
  result.tensor = from.tensor;
  if (from.sparse != nullptr) result.sparse = std::make_unique<SparseTensor>(*from.sparse);
  result.external = from.external;
  result.is_promised = from.is_promised;
  result.is_copy = true;
  result.is_of_node = from.is_of_node;
  result.record = from.record;
  return result;
}

Result<Node*> Copier::copy(const Node& node, Graph& graph) {
  BROADLOOM_CHECK(require_memory(node.inputs.size() + 2 * node.outputs.size(), sizeof(Value)));
  Arena& arena = model_.arena;
  Node& result = graph.nodes.add(arena);
  result.origin = node.origin != nullptr ? node.origin : &node;
  result.name = node.name;
  result.op_type = node.op_type;
  result.domain = node.domain;
  result.number = node.number;
  result.caller = node.caller;
  result.position = node.position;
  result.op = node.op;
  result.version = node.version;
  result.opset = node.opset;
  result.fault = node.fault;
  result.attributes = node.attributes;
  result.record = node.record;
  result.is_constant = node.is_constant;
  result.is_changed = node.is_changed;
  result.output_types = arena.make_list<Dtype>(node.output_types.size());
  std::copy(node.output_types.begin(), node.output_types.end(), result.output_types.begin());
  const std::span<Value*> inputs = arena.make_list<Value*>(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = copy_of(node.inputs[i]);
  result.inputs = inputs;
  result.outputs = arena.make_list<Value*>(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    Value& output = copy(*node.outputs[i], graph);
    result.outputs[i] = &output;
    output.producer = &result;
    if (node.is_constant) output.initializer = &copy(*node.outputs[i]->initializer, output);
  }
  result.graphs = arena.make_list<Subgraph>(node.graphs.size());
  for (std::size_t i = 0; i < node.graphs.size(); ++i) {
    Graph& inner = model_.add_graph();
    result.graphs[i] = {node.graphs[i].attribute, &inner};
    inner.outer = &graph;
    inner.owner = &result;
    inner.depth = graph.depth + 1;
    BROADLOOM_CHECK(copy(*node.graphs[i].graph, inner));
  }
  return &result;
}

Status Copier::copy_body(const Graph& from, Graph& to, const std::vector<std::uint8_t>* needed) {
  const auto is_needed = [&](const Value* value) {
    return value != nullptr && (needed == nullptr || (*needed)[value->place] != 0);
  };
  BROADLOOM_CHECK(require_memory(from.inputs.size() + from.initializers.size() + from.outputs.size() + from.order.size(),
                                 sizeof(Value) + sizeof(Initializer)));
  to.attribute = from.attribute;
  to.record = from.record;
  to.is_checked = from.is_checked;
  to.can_run = from.can_run;
  for (const GraphInput& input : from.inputs) {
    if (!is_needed(input.value)) continue;
    GraphInput& added = to.inputs.add(model_.arena);
    added.number = input.number;
    copy(input.info, added.info);
    added.value = &copy(*input.value, to);
    added.value->input = &added;
    if (input.initializer != nullptr) added.initializer = &copy(*input.initializer, *added.value);
  }
  for (const Initializer& initializer : from.initializers) {
    const Value& value = *initializer.value;
    // Values of inputs exist, and those of Constants come with their nodes.
    if (value.input != nullptr || value.producer != nullptr || !is_needed(&value)) continue;
    Value& made = copy(value, to);
    made.initializer = &copy(initializer, made);
  }
  to.order = model_.arena.make_list<Node*>(from.order.size());
  std::size_t count = 0;
  for (const Node* node : from.order) {
    if (needed != nullptr && std::none_of(node->outputs.begin(), node->outputs.end(), is_needed)) continue;
    BROADLOOM_TRY(copied, copy(*node, to));
    to.order[count++] = copied;
  }
  to.order = to.order.first(count);
  return {};
}

Status Copier::copy(const Graph& from, Graph& to) {
  BROADLOOM_CHECK(copy_body(from, to, nullptr));
  for (const GraphOutput& output : from.outputs) {
    GraphOutput& added = to.outputs.add(model_.arena);
    copy(output.info, added.info);
    added.value = copy_of(output.value);
  }
  return {};
}

Status Copier::copy_part(const Graph& from, Graph& to, std::span<const Value* const> values) {
  std::vector<std::uint8_t> needed(copies_.size());
  for (const Value* value : values) needed[value->place] = 1;
  for (std::size_t i = from.order.size(); i-- > 0;) {
    const Node& node = *from.order[i];
    if (std::none_of(node.outputs.begin(), node.outputs.end(),
                     [&](const Value* output) { return output != nullptr && needed[output->place] != 0; })) {
      continue;
    }
    for (const Value* input : node.inputs) {
      if (input != nullptr) needed[input->place] = 1;
    }
    for (const Capture& capture : node.captures) needed[capture.value->place] = 1;
  }
  BROADLOOM_CHECK(copy_body(from, to, &needed));
  BROADLOOM_CHECK(require_memory(values.size(), sizeof(GraphOutput)));
  for (const Value* value : values) {
    GraphOutput& added = to.outputs.add(model_.arena);
    added.value = copies_[value->place];
    added.info.name = value->name;
  }
  return {};
}

namespace {

// With `values`, what these need.
Result<std::unique_ptr<Model>> copied(const Model& model, const std::span<const Value* const>* values) {
  BROADLOOM_CHECK(require_memory(model.frame_size, sizeof(void*) + 1));
  auto result = std::make_unique<Model>();
  result->ir_version = model.ir_version;
  result->opset = model.opset;
  result->records = model.records;
  result->graph = &result->add_graph();
  Copier copier(*result, model.frame_size);
  BROADLOOM_CHECK(values == nullptr ? copier.copy(*model.graph, *result->graph)
                                    : copier.copy_part(*model.graph, *result->graph, *values));
  for (const Graph& graph : result->graphs()) count_uses(graph);
  return result;
}

}  // namespace

Result<std::unique_ptr<Model>> copy_model(const Model& model) { return copied(model, nullptr); }

Result<std::unique_ptr<Model>> copy_part(const Model& model, std::span<const Value* const> values) {
  return copied(model, &values);
}

}  // namespace broadloom
