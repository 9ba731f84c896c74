#include "graph/rewrite/rewriter.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/memory.h"
#include "ops/call/arguments.h"
#include "ops/operators.h"

namespace broadloom {

std::int64_t file_bytes(const Tensor& tensor) {
  constexpr std::int64_t header = 16;
  if (tensor.dtype != Dtype::string) return dense_bytes(tensor.dtype, tensor.count()).value_or(max_count) + header;
  return tensor.count() * 2 + static_cast<std::int64_t>(tensor.storage->text ? tensor.storage->text->size() : 0) + header;
}

// ---- Facts ----

Value& Rewriter::resolved(Value& value) const {
  Value* last = &value;
  while (replaced_[last->place] != nullptr) last = replaced_[last->place];
  return *last;
}

const Tensor& Rewriter::facts(const Value& value) const {
  static const Tensor nothing{Dtype::undefined, LayoutRef::unranked()};
  if (constants_[value.place].has_elements()) return constants_[value.place];
  return inference_.knows(value) ? inference_[value] : nothing;
}

const Tensor* Rewriter::constant(const Value* value) const {
  if (value == nullptr || !constants_[value->place].has_elements()) return nullptr;
  return &constants_[value->place];
}

bool Rewriter::are_constants(const Node& node) const {
  return std::all_of(node.outputs.begin(), node.outputs.end(),
                     [&](const Value* value) { return value == nullptr || constant(value) != nullptr; });
}

bool Rewriter::reads_constants(const Node& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](const Value* value) { return value == nullptr || constant(value) != nullptr; });
}

void Rewriter::set_constant(Value& value, Tensor tensor) { constants_[value.place] = std::move(tensor); }

bool Rewriter::have_same_dims(const Value& a, const Value& b) const {
  const Tensor& one = facts(a);
  const Tensor& other = facts(b);
  if (!one.is_ranked() || !other.is_ranked() || !(one.dims() == other.dims())) return false;
  if (a.dtype != b.dtype || a.dtype == Dtype::undefined) return false;
  return std::find(one.dims().begin(), one.dims().end(), unknown_size) == one.dims().end();
}

bool Rewriter::have_same_size(const Value& a, const Value& b, std::size_t axis) const {
  const auto size_of = [&](const Value& value) {
    const Tensor& known = facts(value);
    return known.is_ranked() && axis < known.dims().size() ? known.dims()[axis] : unknown_size;
  };
  return size_of(a) == size_of(b) && size_of(a) != unknown_size;
}

Node* Rewriter::made_by(const Value* value) const {
  if (value == nullptr || value->producer == nullptr || value->is_held || constant(value) != nullptr) return nullptr;
  return value->producer->outputs[0] == value ? value->producer : nullptr;
}

Node* Rewriter::made_by(const Value* value, const Operator& op) const {
  Node* node = made_by(value);
  return node != nullptr && node->op == &op && !node->has_refused_types() ? node : nullptr;
}

std::optional<Dims> Rewriter::integers(const Node& node, std::string_view name) const {
  const Operator* op = node.op;
  if (op == nullptr) return {};
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = constant(node.inputs[i]);
  }
  const std::size_t position = input_named(*node.version, name);
  const bool is_given = position < node.inputs.size() && node.inputs[position] != nullptr;
  if (is_given && inputs[position] == nullptr) return {};
  const Result<IntegerList> list = read_list({*node.version, inputs.values(), node.attributes, {}, {}}, name);
  if (!list || !list->is_given || !list->has_length) return {};
  return Dims(list->numbers());
}

// ---- One value for another ----

bool Rewriter::lends_sizes(const Value& from, const Value& to) const {
  if (from.declared == nullptr || !from.declared->has_shape || from.is_output) return false;
  const bool declares = to.input != nullptr ? to.input->info.has_shape : to.declared != nullptr && to.declared->has_shape;
  return !declares && !facts(to).is_ranked();
}

bool Rewriter::can_replace(const Value& from, const Value& to) const {
  // Where the type of `from` is unknown, the file may declare another than that of `to`.
  if (to.dtype != Dtype::undefined && from.dtype != to.dtype) return false;
  // A graph of an operator that is not known may hide the name of another value. A value that takes an output's place takes
  // its name, too.
  if (from.is_named || from.is_held || (from.is_output && (to.is_named || to.is_held))) return false;
  // The sizes of an input are the caller's.
  if (lends_sizes(from, to) && (to.input != nullptr || to.is_output)) return false;
  // The other value takes the place of an output if a node here makes it, and for no other output.
  return !from.is_output || (to.graph == from.graph && to.producer != nullptr && !to.is_output && constant(&to) == nullptr);
}

bool Rewriter::replace(Value& from, Value& to) {
  if (&from == &to) return true;
  assert(!is_replaced(to) && !is_replaced(from));
  if (!can_replace(from, to)) return false;
  if (lends_sizes(from, to)) to.declared = from.declared;
  if (from.is_output) {
    for (GraphOutput& output : from.graph->outputs) {
      if (output.value == &from) output.value = &to;
    }
    to.is_output = true;
    if (from.graph->keeps_names()) to.name = from.name;
    to.declared = from.declared;
    from.is_output = false;
  }
  // To read a value of a graph around is to capture it.
  (to.graph == from.graph ? to.uses : to.captures) += std::exchange(from.uses, 0);
  to.captures += std::exchange(from.captures, 0);
  replaced_[from.place] = &to;
  return true;
}

// ---- Edges ----

void Rewriter::set_inputs(Node& node, std::span<Value* const> inputs) {
  const std::span<Value*> list = model_.arena.make_list<Value*>(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    list[i] = &resolved(*inputs[i]);
    add_use(*list[i], graph());
  }
  for (Value* input : node.inputs) {
    if (input != nullptr) remove_use(resolved(*input), graph());
  }
  node.inputs = list;
}

void Rewriter::replace_input(Node& node, std::size_t input, Value* value) {
  InlineVector<Value*, 8> inputs(node.inputs.size());
  std::copy(node.inputs.begin(), node.inputs.end(), inputs.begin());
  inputs[input] = value;
  set_inputs(node, inputs.values());
}

void Rewriter::resolve_inputs(Node& node) {
  const bool is_stale = std::any_of(node.inputs.begin(), node.inputs.end(),
                                    [&](const Value* input) { return input != nullptr && is_replaced(*input); });
  if (is_stale) set_inputs(node, node.inputs);
}

void Rewriter::remove(Node& node) {
  change_uses(node, graph(), remove_use);
  node.inputs = InputList();
  node.graphs = {};
}

void Rewriter::change_uses(const Node& node, const Graph& graph, void (*change)(Value& value, const Graph& reader)) const {
  for (Value* input : node.inputs) {
    if (input != nullptr) change(resolved(*input), graph);
  }
  for (const Subgraph& subgraph : node.graphs) {
    const Graph& inner = *subgraph.graph;
    for (const Node* one : inner.order) change_uses(*one, inner, change);
    for (const GraphOutput& output : inner.outputs) {
      Value& value = resolved(*output.value);
      if (value.graph != &inner) change(value, inner);
    }
  }
}

void Rewriter::hold(Value& value) {
  scope_->held.push_back(&value);
  add_use(resolved(value), graph());
}

void Rewriter::release_holds(std::size_t count) {
  std::vector<Value*>& held = scope_->held;
  for (; held.size() > count; held.pop_back()) remove_use(resolved(*held.back()), graph());
}

// ---- New records ----

Status Rewriter::keep(Node& node) {
  std::vector<Node*>& kept = scope_->kept;
  BROADLOOM_CHECK(require_memory(kept.size(), 2 * sizeof(void*)));
  kept.push_back(&node);
  return {};
}

Value& Rewriter::new_value(std::string_view name, Dtype dtype) {
  Value& value = *model_.arena.make_list<Value>(1).data();
  value.name = name;
  value.place = model_.frame_size++;
  value.graph = &graph();
  value.dtype = dtype;
  add_new_values();
  return value;
}

void Rewriter::add_new_values() {
  replaced_.resize(model_.frame_size);
  constants_.resize(model_.frame_size);
  is_awaited_.resize(model_.frame_size);
  goes_unread_.resize(model_.frame_size);
}

Value& Rewriter::new_constant(std::string_view name, Tensor tensor) {
  Value& value = new_value(name, tensor.dtype);
  set_constant(value, tensor);
  make_initializer(value, std::move(tensor));
  return value;
}

void Rewriter::make_initializer(Value& value, Tensor tensor) {
  Initializer& initializer = value.graph->initializers.add(model_.arena);
  initializer.value = &value;
  initializer.tensor = std::move(tensor);
  value.initializer = &initializer;
  value.producer = nullptr;
}

void Rewriter::take_initializers(Graph& inner) {
  Graph& graph = this->graph();
  for (Initializer& initializer : inner.initializers) {
    initializer.value->graph = &graph;
    initializer.value->is_output = false;
  }
  graph.initializers.take(inner.initializers);
  graph.annotations.take(inner.annotations);
  graph.named.take(inner.named);
}

Result<Value*> Rewriter::new_integers(std::string_view name, const Dims& values) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(tensor, make_vector(values.values()));
  return &new_constant(name, std::move(tensor));
}

Node& Rewriter::new_node(const Operator& op, std::span<Value* const> inputs, Value& output, std::int64_t opset) {
  Node& node = graph().nodes.add(model_.arena);
  node.position = new_position;
  node.opset = opset;
  become(node, op, inputs);
  node.outputs = model_.arena.make_list<Value*>(1);
  node.outputs[0] = &output;
  node.output_types = model_.arena.make_list<Dtype>(1);
  node.output_types[0] = output.dtype;
  node.origin = output.producer == nullptr || output.producer->origin == nullptr ? output.producer : output.producer->origin;
  output.producer = &node;
  return node;
}

bool Rewriter::become(Node& node, const Operator& op, std::span<Value* const> inputs) {
  const std::int64_t opset = is_default_domain(node.domain) ? node.opset : model_.opset;
  const Result<const OperatorVersion*> version = select_version(op, opset);
  if (!version) return false;
  node.domain = {};
  node.opset = opset;
  node.op = &op;
  node.version = *version;
  node.op_type = op.name;
  node.attributes.clear();
  node.is_changed = true;
  node.graphs = {};
  set_inputs(node, inputs);
  return true;
}

AttributeValue& set_attribute(Node& node, std::string_view name, Tensor tensor) {
  AttributeValue& value = node.attributes.get(*find_spec(*node.version, name));
  value.tensor = std::move(tensor);
  value.is_present = true;
  return value;
}

void Rewriter::add_constants(const Graph& graph) {
  for (const Initializer& initializer : graph.initializers) {
    if (initializer.value->input == nullptr && initializer.tensor.has_elements())
      set_constant(*initializer.value, initializer.tensor);
  }
}

// ---- Elements that were left in a file ----

bool Rewriter::is_left(const Value& value) const {
  return value.input == nullptr && value.initializer != nullptr && value.initializer->is_promised &&
         value.initializer->external != nullptr;
}

bool Rewriter::can_load(const Value& value) const {
  if (!is_left(value)) return false;
  return value.initializer->external->location.empty() || options_.gets_external;
}

void Rewriter::want(const Value& value) {
  if (!require_memory(progress_.wanted.size() + 1, 2 * sizeof(WantedElements))) return;
  const auto bytes = static_cast<std::int64_t>(dense_size(value.initializer->tensor));
  progress_.wanted.push_back({value.initializer->external, bytes});
  wanted_bytes_ += bytes;
}

}  // namespace broadloom
