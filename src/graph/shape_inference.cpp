#include "graph/shape_inference.h"

#include <algorithm>

#include "core/memory.h"
#include "core/text.h"
#include "graph/control_flow.h"
#include "ops/elementwise.h"

namespace broadloom {
namespace {

// Shapes have few elements. Longer lists of integers are not shapes.
constexpr std::int64_t most_elements = 1024;

// The limit of fresh sizes, which stand for unknown ones. A node takes a few bytes of a file, and may have
// as many unknown sizes as a tensor can have axes.
constexpr std::size_t least_fresh = 16384;
constexpr std::size_t fresh_each = 8;

// The limit of node visits in total. After that, the body of a loop is inferred only once.
constexpr std::size_t least_repeated = 4096;
constexpr std::size_t repeated_each = 4;

Tensor unranked(Dtype dtype) { return {dtype, LayoutRef::unranked()}; }

Tensor of_dims(Dtype dtype, const SymbolicDims& dims) { return {dtype, uniform_layout(dims)}; }

bool is_integers(const Tensor& tensor) { return tensor.dtype == Dtype::int64 && tensor.has_elements(); }

// Whether a tensor is small, and integer elements are numbers.
bool has_numbers(const Tensor& tensor) {
  if (tensor.count() > most_elements) return false;
  if (!is_integers(tensor)) return true;
  const auto* elements = reinterpret_cast<const Size*>(tensor.data());
  const Span span = span_of(tensor.layout);
  return are_numbers({elements + span.lowest, elements + span.highest + 1});
}

bool is_short_list(const Tensor& tensor) {
  constexpr std::int64_t most = 8;
  return tensor.is_ranked() && tensor.dims().size() < 2 && are_numbers(tensor.dims()) && tensor.count() <= most;
}

// The facts that hold for both tensors.
Tensor common(const Tensor& a, const Tensor& b, Dtype dtype) {
  if (!a.is_ranked() || !b.is_ranked() || a.dims().size() != b.dims().size()) return unranked(dtype);
  SymbolicDims dims(a.dims().size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = a.dims()[i] == b.dims()[i] ? a.dims()[i] : unknown_size;
  return of_dims(dtype, dims);
}

}  // namespace

Tensor without_expressions(const Tensor& tensor) {
  return !is_integers(tensor) || (is_dense(tensor) && has_numbers(tensor)) ? tensor : of_dims(tensor.dtype, tensor.dims());
}

Size ShapeInference::fresh(const Value& value, std::size_t axis) {
  const Size size = expressions_.fresh();
  const std::optional<Expressions::Part> part = expressions_.part_of(size);
  if (!part) return size;
  const std::size_t number = part->number;
  if (number >= origins_.size()) {
    if (!require_memory(2 * number + 64, sizeof(Origin))) return size;
    origins_.resize(2 * number + 64);
  }
  origins_[number] = {&value, axis};
  return size;
}

Tensor ShapeInference::declared(const Value& value, const ValueInfo& info) {
  if (!info.has_shape) return unranked(value.dtype);
  SymbolicDims dims(info.dims.size());
  std::size_t axis = 0;
  for (const Dimension& dim : info.dims) {
    dims[axis] = dim.value >= 0    ? Size(dim.value)
                 : dim.symbol >= 0 ? expressions_.name(static_cast<std::uint32_t>(dim.symbol))
                                   : fresh(value, axis);
    ++axis;
  }
  return of_dims(value.dtype, dims);
}

Status ShapeInference::run() {
  BROADLOOM_CHECK(require_memory(model_.frame_size, sizeof(Tensor) + 1));
  tensors_ = std::vector<Tensor>(model_.frame_size, unranked(Dtype::undefined));
  is_only_declared_ = std::vector<char>(model_.frame_size);
  fresh_left_ = least_fresh + fresh_each * model_.frame_size;
  repeated_left_ = least_repeated + repeated_each * model_.frame_size;
  for (const GraphInput& input : model_.graph->inputs) at(input.value) = declared(*input.value, input.info);
  for (const Graph& graph : model_.graphs()) {
    for (const Initializer& initializer : graph.initializers) {
      BROADLOOM_CHECK(require_memory());
      // A default of an input is what a feed may replace.
      if (initializer.value->input == nullptr) at(initializer.value) = without_expressions(initializer.tensor);
    }
  }
  bool can_run = true;
  for (const Graph& graph : model_.graphs()) {
    for (const Node& node : graph.nodes) can_run = can_run && node.error.empty();
  }
  needs_proof_ = needs_proof_ || can_run;
  return infer(*model_.graph);
}

Status ShapeInference::add(const Node& node) {
  BROADLOOM_CHECK(require_memory(2 * model_.frame_size, sizeof(Tensor) + 1));
  tensors_.resize(model_.frame_size, unranked(Dtype::undefined));
  is_only_declared_.resize(model_.frame_size);
  for (const Value* input : node.inputs) {
    const bool is_new = input != nullptr && input->is_constant() && at(input).dtype == Dtype::undefined;
    if (is_new && input->input == nullptr) at(input) = without_expressions(input->initializer->tensor);
  }
  return infer(node);
}

Status ShapeInference::infer(const Graph& graph) {
  for (const Node* node : graph.order) {
    BROADLOOM_CHECK(require_memory());
    if (repeated_left_ > 0) --repeated_left_;
    if (!node->is_constant) BROADLOOM_CHECK(infer(*node));
    BROADLOOM_CHECK(take_declared(*node));
  }
  return {};
}

Status ShapeInference::infer(const Node& node) {
  const Operator* op = node.op;
  if (op == &if_operator) return infer_if(node);
  if (op == &loop || op == &scan) return infer_loop(node);
  if (!node.is_checked()) {
    // Subgraphs of an unknown node are inferred, too, from their declarations.
    ++conditions_;
    for (const Subgraph& subgraph : node.graphs) {
      for (const GraphInput& input : subgraph.graph->inputs) {
        at(input.value) = needs_proof_ ? unranked(input.value->dtype) : declared(*input.value, input.info);
      }
      BROADLOOM_CHECK(infer(*subgraph.graph));
    }
    --conditions_;
    if (op == nullptr) return {};
  }
  return prepare(node);
}

Status ShapeInference::prepare(const Node& node) {
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = &at(node.inputs[i]);
  }
  BROADLOOM_CHECK(require_outputs(node.outputs.size()));
  std::vector<Tensor> outputs(node.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = unranked(node.output_types[i]);
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs, &expressions_};
  if (node.has_refused_types()) {
    BROADLOOM_CHECK(prepare_refused(node, call));
  } else if (const Status status = node.op->prepare(call); !status) {
    // It fails in every run here. Other runtimes may run some nodes that are refused here.
    if (status.error()->is_impossible) set_failing();
    for (Tensor& output : outputs) output = unranked(output.dtype);
  } else if (!is_finished(call)) {
    compute(*node.op, call);
  }
  set_outputs(node, outputs);
  return {};
}

// The dims of a node as if its types were allowed. Elements of unchecked types are not read, except for
// integers, whose items have the largest size that prepare reads.
Status ShapeInference::prepare_refused(const Node& node, Call& call) {
  BROADLOOM_CHECK(require_memory(call.inputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(call.inputs);
  std::vector<Tensor> bare(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->has_elements() || is_integers(*inputs[i])) continue;
    bare[i] = of_dims(inputs[i]->dtype, inputs[i]->dims());
    inputs[i] = &bare[i];
  }
  Call again{call.version, inputs.values(), call.attributes, call.output_types, call.outputs, call.expressions};
  const bool fits = static_cast<bool>(node.op->prepare(again));
  for (Tensor& output : call.outputs) {
    if (!fits) output = unranked(output.dtype);
    output = {output.dtype, output.layout};
  }
  return {};
}

// Computes small outputs that only depend on known elements: shapes, and values from which they are computed.
void ShapeInference::compute(const Operator& op, Call& call) {
  const bool computes_sizes = op.traits.computes_sizes && has_sizes(call);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor* input = call.inputs[i];
    if (input == nullptr) continue;
    if (!input->has_elements() || input->count() > most_elements) return;
    const bool may_be_symbolic = op.moves(i) || (computes_sizes && input->dtype == Dtype::int64);
    if (!may_be_symbolic && !has_numbers(*input)) return;
  }
  std::vector<Tensor> computed(call.outputs.begin(), call.outputs.end());
  for (const Tensor& output : computed) {
    if (!output.is_ranked() || !are_numbers(output.dims()) || !checked_count(output.dims()) || output.count() > most_elements)
      return;
  }
  Call again{call.version, call.inputs, call.attributes, call.output_types, computed, call.expressions};
  if (!op.computes() || !complete(op, again)) return;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    // Elements from other computations may have reserved values.
    if (op.data_movement_inputs != 0 || computes_sizes || (computed[i].has_elements() && has_numbers(computed[i])))
      call.outputs[i] = std::move(computed[i]);
  }
}

void ShapeInference::set_outputs(const Node& node, std::span<Tensor> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    Tensor& tensor = outputs[i];
    tensor.dtype = node.outputs[i]->dtype;
    if (node.outputs[i] == assumed_ && !tensor.has_elements()) {
      const Dims dims(tensor.is_ranked() ? tensor.dims().size() : 0, 1);
      if (Result<Tensor> made = make_tensor(Dtype::boolean, dims)) {
        *made->data() = std::byte{assumed_value_ ? std::uint8_t{1} : std::uint8_t{0}};
        tensor = std::move(*made);
      }
    }
    // A view of known elements may have unknown dims. Its elements are not used.
    if (tensor.has_elements() && !are_numbers(tensor.dims())) tensor = of_dims(tensor.dtype, tensor.dims());
    // In a short list, each number may be known or unknown, so that concatenated lists are known in part.
    if (tensor.dtype == Dtype::int64 && !tensor.has_elements() && is_short_list(tensor)) {
      Result<Tensor> list = make_tensor(Dtype::int64, tensor.dims());
      if (list) {
        for (Size& element : size_elements(*list)) element = unknown_size;
        tensor = std::move(*list);
      }
    }
    // A size of a value is the same for all its readers.
    name_unknown_sizes(*node.outputs[i], tensor);
    at(node.outputs[i]) = std::move(tensor);
    is_only_declared_[node.outputs[i]->place] = 0;
  }
}

Status ShapeInference::infer_if(const Node& node) {
  const Tensor& condition = at(node.inputs[0]);
  const Graph* branches[] = {node.graph("then_branch"), node.graph("else_branch")};
  const bool is_decided =
      condition.has_elements() && condition.is_ranked() && are_numbers(condition.dims()) && condition.count() == 1;
  const std::size_t taken = !is_decided ? 2 : *condition.data() != std::byte{0} ? 0 : 1;
  for (std::size_t i = 0; i < 2; ++i) {
    // If the taken branch fails, the If fails.
    conditions_ += i == taken ? 0 : 1;
    BROADLOOM_CHECK(infer(*branches[i]));
    conditions_ -= i == taken ? 0 : 1;
  }
  if (is_decided) branches[0] = branches[1] = branches[taken];
  BROADLOOM_CHECK(require_memory(node.outputs.size(), sizeof(Tensor)));
  std::vector<Tensor> outputs(node.outputs.size());
  auto other = branches[1]->outputs.begin();
  std::size_t i = 0;
  for (const GraphOutput& output : branches[0]->outputs) {
    BROADLOOM_CHECK(require_memory());
    const Tensor& tensor = at(output.value);
    outputs[i] = is_decided ? tensor : common(tensor, at((*other).value), node.output_types[i]);
    ++other;
    ++i;
  }
  set_outputs(node, outputs);
  return {};
}

namespace {

// Keeps the facts of a state that hold before and after an iteration. Returns false if there are fewer than before.
bool still_holds(Tensor& state, const Tensor& after) {
  if (!state.is_ranked()) return true;
  if (!after.is_ranked() || after.dims().size() != state.dims().size()) {
    state = unranked(state.dtype);
    return false;
  }
  SymbolicDims dims = state.dims();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != after.dims()[i]) dims[i] = unknown_size;
  }
  if (dims == state.dims()) return true;
  state = of_dims(state.dtype, dims);
  return false;
}

}  // namespace

void ShapeInference::name_unknown_sizes(const Value& value, Tensor& tensor) {
  if (!tensor.is_ranked()) return;
  if (std::find(tensor.dims().begin(), tensor.dims().end(), unknown_size) == tensor.dims().end()) return;
  SymbolicDims dims = tensor.dims();
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] != unknown_size || fresh_left_ == 0) continue;
    dims[axis] = fresh(value, axis);
    --fresh_left_;
  }
  tensor.layout = uniform_layout(dims);
}

// States have their initial dims, as long as an iteration keeps them. Changed sizes become unknown, and then
// the body is inferred again. Nested loops would multiply these repetitions, so there is a common limit.
Status ShapeInference::infer_loop(const Node& node) {
  const Result<BodyParts> parts = parts_of_body(node);
  if (!parts) return {};
  const Graph& body = *node.graph("body");
  BROADLOOM_CHECK(require_memory(parts->states, most_layout_bytes + sizeof(Tensor)));
  std::vector<Tensor> states(parts->states);
  // Scan-8 has a batch axis.
  const bool has_batches = node.op == &scan && node.version->since_version == 8;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Value* start = node.inputs[parts->first_state + i];
    states[i] = start == nullptr || has_batches || !at(start).is_ranked() ? unranked(Dtype::undefined)
                                                                          : of_dims(Dtype::undefined, at(start).dims());
  }
  bool holds = false;
  while (!holds) {
    holds = repeated_left_ == 0;
    if (holds) std::fill(states.begin(), states.end(), unranked(Dtype::undefined));
    set_inputs_of_body(node, *parts, states);
    ++conditions_;
    BROADLOOM_CHECK(infer(body));
    --conditions_;
    if (holds) break;
    holds = true;
    auto after = body.outputs.begin();
    for (std::size_t i = 0; i < parts->extra_outputs; ++i) ++after;
    for (Tensor& state : states) {
      holds = still_holds(state, at((*after).value)) && holds;
      ++after;
    }
  }
  infer_outputs_of_loop(node, *parts, states);
  return {};
}

void ShapeInference::set_inputs_of_body(const Node& node, const BodyParts& parts, std::span<const Tensor> states) {
  const bool has_axes = node.attributes.find("scan_input_axes") != nullptr;
  // The batch axis comes before the scanned axis.
  const std::size_t dropped = parts.first_state + 1;
  std::size_t i = 0;
  for (const GraphInput& input : node.graph("body")->inputs) {
    const std::size_t number = i++;
    Tensor& tensor = at(input.value);
    tensor = unranked(input.value->dtype);
    if (number < parts.extra_inputs) {
      tensor = of_dims(input.value->dtype, {});
    } else if (number - parts.extra_inputs < states.size()) {
      tensor.layout = states[number - parts.extra_inputs].layout;
    } else {
      const Value* scanned = node.inputs[parts.first_state + number];
      if (scanned == nullptr || !at(scanned).is_ranked() || at(scanned).dims().size() < dropped) continue;
      const SymbolicDims& dims = at(scanned).dims();
      tensor.layout = uniform_layout(has_axes ? SymbolicDims(dims.size() - dropped, unknown_size)
                                              : SymbolicDims(dims.values().subspan(dropped)));
    }
    if (!needs_proof_ && !tensor.is_ranked()) tensor = declared(*input.value, input.info);
    name_unknown_sizes(*input.value, tensor);
  }
}

// Scan outputs have the dims of one iteration and an axis for the iterations.
void ShapeInference::infer_outputs_of_loop(const Node& node, const BodyParts& parts, std::span<const Tensor> states) {
  if (!require_memory(node.outputs.size(), sizeof(Tensor))) return;
  std::vector<Tensor> outputs(node.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = unranked(node.output_types[i]);
  std::size_t i = 0;
  for (const GraphOutput& output : node.graph("body")->outputs) {
    const std::size_t number = i++;
    if (number < parts.extra_outputs || number - parts.extra_outputs >= outputs.size()) continue;
    const std::size_t place = number - parts.extra_outputs;
    if (place < states.size()) {
      outputs[place].layout = states[place].layout;
      continue;
    }
    const Tensor& item = at(output.value);
    // Scan-8 has a batch axis before it.
    const std::size_t added = parts.first_state + 1 - (node.op == &loop ? 2 : 0);
    const std::size_t item_rank = item.is_ranked() ? item.dims().size() : most_axes;
    // Without iterations, only the declaration gives the rank in a run.
    const std::size_t declared_rank = output.info.has_shape ? output.info.dims.size() : 0;
    const bool has_rank = !needs_proof_ || declared_rank == item_rank;
    if (!has_rank || item_rank + added > most_axes || !require_memory()) continue;
    outputs[place].layout = uniform_layout(SymbolicDims(item_rank + added, unknown_size));
  }
  set_outputs(node, outputs);
}

namespace {

bool is_declared(const Value& value) { return value.declared != nullptr && value.declared->has_shape; }

}  // namespace

bool ShapeInference::contradicts(const Value& value) const {
  const SymbolicDims& dims = tensors_[value.place].dims();
  if (dims.size() != value.declared->dims.size()) return true;
  const Size* size = dims.begin();
  for (const Dimension& dim : value.declared->dims) {
    if (dim.value >= 0 && differ(*size, dim.value)) return true;
    ++size;
  }
  return false;
}

namespace {

// Calls use(value) for each value that nodes make and the model declares dims of.
template <class Use>
void each_declared(const Model& model, const Use& use) {
  for (const Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      for (const Value* value : node.outputs) {
        if (value != nullptr && is_declared(*value)) use(*value);
      }
    }
  }
}

}  // namespace

void ShapeInference::warn_of_contradictions(Model& model) const {
  each_declared(model, [&](const Value& value) {
    const Tensor& tensor = (*this)[value];
    if (!tensor.is_ranked() || !contradicts(value)) return;
    Text declared;
    append_dims(declared, *value.declared);
    model.warn("{} is declared as {}, but is {}", quoted(value.name), declared.view(), tensor.dims().values());
  });
}

Status warn_of_contradictions(Model& model) {
  bool has_declared = false;
  each_declared(model, [&](const Value&) { has_declared = true; });
  if (!has_declared) return {};
  ShapeInference inference(model);
  BROADLOOM_CHECK(inference.run());
  inference.warn_of_contradictions(model);
  return {};
}

// A run does not check the dims that a model declares for outputs of nodes. So inference must not use them, unless the model
// cannot run.
Status ShapeInference::take_declared(const Node& node) {
  if (needs_proof_) return {};
  for (const Value* value : node.outputs) {
    if (value == nullptr || !is_declared(*value)) continue;
    Tensor& tensor = at(value);
    const bool is_known = tensor.is_ranked() && is_only_declared_[value->place] == 0;
    if (is_known && (are_numbers(tensor.dims()) || contradicts(*value))) continue;
    BROADLOOM_CHECK(require_memory());
    Tensor taken = declared(*value, *value->declared);
    if (is_known) {
      SymbolicDims dims = taken.dims();
      for (std::size_t i = 0; i < dims.size(); ++i) {
        const Size own = tensor.dims()[i];
        if (expressions_.is_named(own) || !expressions_.is_named(dims[i])) dims[i] = own;
      }
      taken.layout = uniform_layout(dims);
    } else {
      is_only_declared_[value->place] = 1;
    }
    tensor = std::move(taken);
  }
  return {};
}

}  // namespace broadloom
