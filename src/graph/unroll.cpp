// Writes out Loops of few iterations: Simplifier does so when it is asked to.
#include <algorithm>

#include "core/memory.h"
#include "graph/control_flow.h"
#include "graph/simplifier.h"
#include "ops/operators.h"

namespace broadloom {

// Copies nodes of a body, one iteration after the other. What a body makes gets new values each time; constants are shared.
class Simplifier::Copier {
 public:
  Copier(Simplifier& simplifier, Model& model) : simplifier_(simplifier), model_(model), copies_(model.frame_size) {}

  void set(const Value& value, Value& copy) { copies_[value.place] = &copy; }
  Value* copy_of(Value* value) const {
    const bool has_copy = value != nullptr && value->place < copies_.size() && copies_[value->place] != nullptr;
    return has_copy ? copies_[value->place] : value;
  }

  Result<Node*> copy(const Node& node, Graph& graph) {
    BROADLOOM_CHECK(require_memory(node.inputs.size() + 2 * node.outputs.size(), sizeof(Value)));
    Node& result = graph.nodes.add(model_.arena);
    result.name = node.name;
    result.op_type = node.op_type;
    result.domain = node.domain;
    result.number = node.number;
    result.caller = node.caller;
    result.op = node.op;
    result.version = node.version;
    result.opset = node.opset;
    result.error = node.error;
    result.code = node.code;
    result.attributes = node.attributes;
    result.output_types = model_.arena.make_list<Dtype>(node.output_types.size());
    std::copy(node.output_types.begin(), node.output_types.end(), result.output_types.begin());
    result.position = new_position;
    result.is_changed = node.is_changed;
    result.value_message = node.value_message;
    result.external = node.external;
    result.message = node.message;
    result.written = node.written;
    result.inputs = model_.arena.make_list<Value*>(node.inputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      result.inputs[i] = copy_of(node.inputs[i]);
      if (result.inputs[i] != nullptr) ++result.inputs[i]->reads;
    }
    result.outputs = model_.arena.make_list<Value*>(node.outputs.size());
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == nullptr) continue;
      result.outputs[i] = &copy(*node.outputs[i], graph);
      result.outputs[i]->producer = &result;
    }
    result.graphs = model_.arena.make_list<Subgraph>(node.graphs.size());
    for (std::size_t i = 0; i < node.graphs.size(); ++i) {
      result.graphs[i].attribute = node.graphs[i].attribute;
      BROADLOOM_TRY(inner, copy(*node.graphs[i].graph, graph, result));
      result.graphs[i].graph = inner;
    }
    return &result;
  }

 private:
  Value& copy(Value& value, Graph& graph) {
    Value& result = simplifier_.new_value(graph, value.name, value.dtype);
    result.is_output = value.is_output;
    // Who reads it is not counted: many do.
    result.reads = 2;
    set(value, result);
    return result;
  }

  Result<Graph*> copy(const Graph& graph, Graph& outer, Node& owner) {
    BROADLOOM_CHECK(require_memory(graph.inputs.size() + graph.initializers.size() + graph.outputs.size() + graph.order.size(),
                                   sizeof(Value) + sizeof(Initializer)));
    Graph& result = model_.add_graph();
    result.outer = &outer;
    result.owner = &owner;
    result.attribute = graph.attribute;
    result.depth = outer.depth + 1;
    result.message = graph.message;
    for (const GraphInput& input : graph.inputs) {
      GraphInput& added = result.inputs.add(model_.arena);
      copy_info(input.info, added.info);
      added.value = &copy(*input.value, result);
      added.value->input = &added;
    }
    for (const Initializer& initializer : graph.initializers) {
      if (initializer.value->producer != nullptr) continue;  // a Constant's
      Initializer& added = result.initializers.add(model_.arena);
      added.value = &copy(*initializer.value, result);
      added.value->initializer = &added;
      added.tensor = initializer.tensor;
      added.external = initializer.external;
      added.is_promised = initializer.is_promised;
      added.message = initializer.message;
      if (initializer.sparse != nullptr) added.sparse = std::make_unique<SparseTensor>(*initializer.sparse);
      if (added.tensor.has_elements()) simplifier_.set_constant(*added.value, added.tensor);
    }
    result.order = model_.arena.make_list<Node*>(graph.order.size());
    for (std::size_t i = 0; i < graph.order.size(); ++i) {
      BROADLOOM_TRY(node, copy(*graph.order[i], result));
      if (graph.order[i]->is_constant) copy_constant(*graph.order[i], *node, result);
      result.order[i] = node;
    }
    for (const GraphOutput& output : graph.outputs) {
      GraphOutput& added = result.outputs.add(model_.arena);
      copy_info(output.info, added.info);
      added.value = copy_of(output.value);
    }
    return &result;
  }

  void copy_constant(const Node& node, Node& copy, Graph& graph) {
    copy.is_constant = true;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == nullptr) continue;
      const Initializer& from = *node.outputs[i]->initializer;
      Initializer& added = graph.initializers.add(model_.arena);
      added.value = copy.outputs[i];
      added.value->initializer = &added;
      added.value->is_of_constant = true;
      added.tensor = from.tensor;
      added.external = from.external;
      added.is_promised = from.is_promised;
      added.message = from.message;
      if (from.sparse != nullptr) added.sparse = std::make_unique<SparseTensor>(*from.sparse);
      if (added.tensor.has_elements()) simplifier_.set_constant(*added.value, added.tensor);
    }
  }

  void copy_info(const ValueInfo& from, ValueInfo& to) {
    to.name = from.name;
    to.kind = from.kind;
    to.dtype = from.dtype;
    to.has_shape = from.has_shape;
    to.message = from.message;
    to.is_changed = from.is_changed;
    to.has_dtype = from.has_dtype;
    for (const Dimension& dim : from.dims) {
      Dimension& added = to.dims.add(model_.arena);
      added.value = dim.value;
      added.name = dim.name;
      added.symbol = dim.symbol;
    }
  }

  Simplifier& simplifier_;
  Model& model_;
  std::vector<Value*> copies_;  // by place
};

namespace {

// Whether the operator of this opset takes first inputs of the type.
bool takes(const Operator& op, std::int64_t opset, Dtype dtype) {
  const Result<const OperatorVersion*> version = select_version(op, opset);
  return version && (*version)->types_of((*version)->inputs()[0]).contains(dtype);
}

// Whether results of iterations can be put together, and states handed on, by operators of the node's opset.
bool can_join(const Node& node, std::size_t states) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const Value* output = node.outputs[i];
    if (output == nullptr) continue;
    const bool fits = i < states
                          ? takes(op::identity, node.opset, output->dtype)
                          : takes(op::unsqueeze, node.opset, output->dtype) && takes(op::concat, node.opset, output->dtype);
    if (!fits) return false;
  }
  return true;
}

// Whether a one-element tensor is there and not 0.
bool is_true(const Tensor* tensor) { return tensor != nullptr && tensor->count() == 1 && *tensor->data() != std::byte{0}; }

}  // namespace

Result<bool> Simplifier::unroll(Graph& graph, Node& node, Seen& seen) {
  if (!is_on(Pass::unroll_loop)) return false;
  const Result<BodyParts> parts = parts_of_body(node);
  // Loops in it are the next round's: by then, the size of the file is known.
  if (!parts || node.inputs.size() < 2 || is_unrolling_) return false;
  Graph& body = *node.graphs[0].graph;
  const Tensor* count = constant(node.inputs[0]);
  if (count == nullptr || count->count() != 1 || count->dtype != Dtype::int64) return false;
  if (node.inputs[1] != nullptr && !is_true(constant(node.inputs[1]))) return false;
  const std::int64_t iterations = std::max<std::int64_t>(*reinterpret_cast<const std::int64_t*>(count->data()), 0);
  if (iterations > options_.most_iterations || (iterations == 0 && parts->scan_outputs > 0)) return false;
  if (!can_join(node, parts->states)) return false;
  // It never ends early.
  auto inputs = body.inputs.begin();
  ++inputs;
  const Value* given = (*inputs).value;
  const Value* made = (*body.outputs.begin()).value;
  const Node* producer = made_by(made, op::identity);
  const Tensor& condition = facts(*made);
  const bool goes_on = made == given || (producer != nullptr && producer->inputs[0] == given) ||
                       (condition.has_elements() && condition.is_ranked() && is_true(&condition));
  if (!goes_on) return false;
  const auto bytes = static_cast<std::int64_t>(body.message.size());
  if (iterations > 0 && bytes > progress_.growth_left / iterations) {
    ++progress_.too_large;
    return false;
  }
  progress_.work_left -= static_cast<double>(model_.frame_size);
  if (progress_.work_left < 0) return false;
  BROADLOOM_CHECK(require_memory(model_.frame_size, sizeof(void*)));
  progress_.growth_left -= bytes * iterations;
  is_unrolling_ = true;
  // Constants of the body are the graph's.
  take_initializers(graph, body);
  for (Node* one : body.order) {
    if (one->is_constant) BROADLOOM_CHECK(rewrite(graph, *one, seen));
  }
  Copier copier(*this, model_);
  std::vector<Value*> states;
  std::vector<std::vector<Value*>> scanned(parts->scan_outputs);
  BROADLOOM_CHECK(require_memory(node.inputs.size() + parts->scan_outputs, 2 * sizeof(std::vector<Value*>)));
  for (std::size_t i = 2; i < node.inputs.size(); ++i) states.push_back(node.inputs[i]);
  BROADLOOM_TRY(yes, make_tensor(Dtype::boolean, {}));
  *yes.data() = std::byte{1};
  Value& always = new_constant(graph, given->name, std::move(yes));
  for (std::int64_t i = 0; i < iterations; ++i) {
    BROADLOOM_TRY(number, make_tensor(Dtype::int64, {}));
    *reinterpret_cast<std::int64_t*>(number.data()) = i;
    auto input = body.inputs.begin();
    copier.set(*(*input).value, new_constant(graph, (*input).value->name, std::move(number)));
    ++input;
    copier.set(*(*input).value, always);
    for (Value* state : states) {
      ++input;
      // A state that is left out has no value to copy.
      if (state == nullptr) return fail(Code::InvalidModel, "a Loop without a first value of a state");
      copier.set(*(*input).value, *state);
    }
    for (Node* one : body.order) {
      if (one->is_constant) continue;
      BROADLOOM_TRY(copied, copier.copy(*one, graph));
      for (Value* output : copied->outputs) {
        if (output != nullptr) output->is_output = false;
      }
      BROADLOOM_CHECK(rewrite(graph, *copied, seen));
    }
    std::size_t position = 0;
    for (const GraphOutput& output : body.outputs) {
      const std::size_t at = position++;
      if (at == 0) continue;
      Value* result = &resolved(*copier.copy_of(output.value));
      if (at <= states.size()) {
        states[at - 1] = result;
      } else {
        BROADLOOM_CHECK(require_memory(static_cast<std::size_t>(i) + 1, 2 * sizeof(void*)));
        scanned[at - 1 - states.size()].push_back(result);
      }
    }
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Value* output = node.outputs[i];
    if (output == nullptr) continue;
    if (i < states.size()) {
      Value& last = resolved(*states[i]);
      if (replace(*output, last)) continue;
      Value* only[] = {&last};
      seen.kept.push_back(&new_node(graph, op::identity, only, *output, node.opset));
      continue;
    }
    BROADLOOM_TRY(axes, new_integers(graph, output->name, {0}));
    std::vector<Value*>& items = scanned[i - states.size()];
    for (Value*& item : items) {
      BROADLOOM_CHECK(require_memory());
      Value& added = new_value(graph, output->name, item->dtype);
      Value* operands[] = {item, axes};
      const bool takes_input = node.opset >= 13;
      Node& unsqueeze = new_node(graph, op::unsqueeze, std::span(operands).first(takes_input ? 2 : 1), added, node.opset);
      if (!takes_input) set_attribute(unsqueeze, "axes", *constant(axes));
      seen.kept.push_back(&unsqueeze);
      item = &added;
    }
    Node& join = new_node(graph, op::concat, items, *output, node.opset);
    set_attribute(join, "axis");  // 0
    seen.kept.push_back(&join);
  }
  is_unrolling_ = false;
  changed(Pass::unroll_loop);
  return true;
}

}  // namespace broadloom
