#include "graph/infer.h"

#include <algorithm>

#include "core/memory.h"
#include "core/text.h"
#include "graph/control_flow.h"

namespace broadloom {
namespace {

// Shapes have few elements. Longer lists of integers are no shapes.
constexpr std::int64_t most_elements = 1024;

// So many sizes of values can be told apart though nothing is known of them. A node takes a few bytes of a file, and may make
// as many of them as there can be axes.
constexpr std::size_t least_fresh = 16384;
constexpr std::size_t fresh_each = 8;

Tensor unranked(Dtype dtype) { return {dtype, LayoutRef::unranked()}; }

Tensor of_dims(Dtype dtype, const Dims& dims) { return {dtype, uniform_layout(dims)}; }

bool is_integers(const Tensor& tensor) { return tensor.dtype == Dtype::int64 && tensor.has_elements(); }

// Whether a tensor is small, and its elements, if they are integers, are numbers.
bool has_numbers(const Tensor& tensor) {
  if (tensor.count() > most_elements) return false;
  if (!is_integers(tensor)) return true;
  const auto* elements = reinterpret_cast<const std::int64_t*>(tensor.data());
  const Span span = span_of(tensor.layout);
  return std::all_of(elements + span.lowest, elements + span.highest + 1, is_number);
}

// What holds of both.
Tensor common(const Tensor& a, const Tensor& b, Dtype dtype) {
  if (!a.is_ranked() || !b.is_ranked() || a.dims().size() != b.dims().size()) return unranked(dtype);
  Dims dims(a.dims().size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = a.dims()[i] == b.dims()[i] ? a.dims()[i] : unknown_size;
  return of_dims(dtype, dims);
}

Dims without_axis(const Dims& dims, std::size_t axis) {
  Dims result(dims.size() - 1);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = dims[i < axis ? i : i + 1];
  return result;
}

}  // namespace

Tensor without_expressions(const Tensor& tensor) {
  return !is_integers(tensor) || (is_dense(tensor) && has_numbers(tensor)) ? tensor : of_dims(tensor.dtype, tensor.dims());
}

Tensor Inference::declared(Dtype dtype, const ValueInfo& info) {
  if (!info.has_shape) return unranked(dtype);
  Dims dims(info.dims.size());
  std::int64_t* size = dims.begin();
  for (const Dimension& dim : info.dims) {
    *size++ = dim.value >= 0    ? dim.value
              : dim.symbol >= 0 ? expressions_.name(static_cast<std::uint32_t>(dim.symbol))
                                : expressions_.fresh();
  }
  return of_dims(dtype, dims);
}

Status Inference::run() {
  BROADLOOM_CHECK(require_memory(model_.frame_size, sizeof(Tensor) + 1));
  tensors_ = std::vector<Tensor>(model_.frame_size, unranked(Dtype::undefined));
  is_only_declared_ = std::vector<char>(model_.frame_size);
  fresh_left_ = least_fresh + fresh_each * model_.frame_size;
  for (const GraphInput& input : model_.graph->inputs) at(input.value) = declared(input.value->dtype, input.info);
  for (const Graph& graph : model_.graphs()) {
    for (const Initializer& initializer : graph.initializers) {
      BROADLOOM_CHECK(require_memory());
      // A default of an input is what a feed may replace.
      if (initializer.value->input == nullptr) at(initializer.value) = without_expressions(initializer.tensor);
    }
  }
  for (const Graph& graph : model_.graphs()) {
    for (const Node& node : graph.nodes) can_run_ = can_run_ && node.error.empty();
  }
  return infer(*model_.graph);
}

Status Inference::infer(const Graph& graph) {
  for (const Node* node : graph.order) {
    BROADLOOM_CHECK(require_memory());
    if (!node->is_constant) BROADLOOM_CHECK(infer(*node));
    BROADLOOM_CHECK(take_declared(*node));
  }
  return {};
}

Status Inference::infer(const Node& node) {
  if (node.op == &if_operator) return infer_if(node);
  if (node.op == &loop) return infer_loop(node);
  if (node.op == &scan) return infer_scan(node);
  if (node.op == nullptr) {
    // Of a node that is not known here, its graphs are still shown, with what they declare.
    for (const Subgraph& subgraph : node.graphs) {
      for (const GraphInput& input : subgraph.graph->inputs) at(input.value) = declared(input.value->dtype, input.info);
      BROADLOOM_CHECK(infer(*subgraph.graph));
    }
    if (node.refused == nullptr && node.rule == nullptr) return {};
  }
  return prepare(node);
}

Status Inference::prepare(const Node& node) {
  if (node.outputs.size() > 1) BROADLOOM_CHECK(require_memory(node.outputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = &at(node.inputs[i]);
  }
  std::vector<Tensor> outputs(node.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = unranked(node.output_types[i]);
  if (node.rule != nullptr) {
    RuleCall call{inputs.values(), node.attributes, node.opset, node.rule->argument, outputs, &expressions_};
    node.rule->infer(call);
  } else {
    Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs, &expressions_};
    if (node.op == nullptr) {
      BROADLOOM_CHECK(prepare_refused(node, call));
    } else if (!node.op->prepare(call)) {
      // A node that fails now will fail in every run: nothing is known of what it would make.
      return {};
    } else if (!is_finished(call)) {
      compute(*node.op, call);
    }
  }
  set_outputs(node, outputs);
  return {};
}

// The dims that the node would have if its types were allowed. Elements whose type was not checked are not read, but for
// integers, which have the largest items that are asked for.
Status Inference::prepare_refused(const Node& node, Call& call) {
  BROADLOOM_CHECK(require_memory(call.inputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(call.inputs);
  std::vector<Tensor> bare(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->has_elements() || is_integers(*inputs[i])) continue;
    bare[i] = of_dims(inputs[i]->dtype, inputs[i]->dims());
    inputs[i] = &bare[i];
  }
  Call again{call.version, inputs.values(), call.attributes, call.output_types, call.outputs, call.expressions};
  const bool fits = static_cast<bool>(node.refused->prepare(again));
  for (Tensor& output : call.outputs) {
    if (!fits) output = unranked(output.dtype);
    output = {output.dtype, output.layout};
  }
  return {};
}

// Computes what is small and depends on known elements alone: shapes, and what they are made of.
void Inference::compute(const Operator& op, Call& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor* input = call.inputs[i];
    if (input == nullptr) continue;
    if (!input->has_elements() || input->count() > most_elements || !(op.moves(i) || has_numbers(*input))) return;
  }
  std::vector<Tensor> computed(call.outputs.begin(), call.outputs.end());
  for (const Tensor& output : computed) {
    if (!output.is_ranked() || !are_numbers(output.dims()) || !checked_count(output.dims()) || output.count() > most_elements)
      return;
  }
  Call again{call.version, call.inputs, call.attributes, call.output_types, computed, call.expressions};
  if (op.compute == nullptr || !complete(op, again)) return;
  for (std::size_t i = 0; i < computed.size(); ++i) {
    // What was computed by other means may look like an expression.
    if (op.moved != 0 || (computed[i].has_elements() && has_numbers(computed[i]))) call.outputs[i] = std::move(computed[i]);
  }
}

void Inference::set_outputs(const Node& node, std::span<Tensor> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    Tensor& tensor = outputs[i];
    tensor.dtype = node.outputs[i]->dtype;
    // One size of one value is the same wherever it is read.
    if (tensor.is_ranked() && std::find(tensor.dims().begin(), tensor.dims().end(), unknown_size) != tensor.dims().end()) {
      Dims dims = tensor.dims();
      for (Size& size : dims) {
        if (size != unknown_size || fresh_left_ == 0) continue;
        size = expressions_.fresh();
        --fresh_left_;
      }
      tensor.layout = uniform_layout(dims);
    }
    at(node.outputs[i]) = std::move(tensor);
  }
}

Status Inference::infer_if(const Node& node) {
  const Tensor& condition = at(node.inputs[0]);
  const Graph* branches[] = {node.graph("then_branch"), node.graph("else_branch")};
  for (const Graph* branch : branches) BROADLOOM_CHECK(infer(*branch));
  const bool is_decided = condition.has_elements() && condition.is_ranked() && condition.dims().empty();
  if (is_decided && *condition.data() != std::byte{0}) branches[1] = branches[0];
  if (is_decided && *condition.data() == std::byte{0}) branches[0] = branches[1];
  BROADLOOM_CHECK(require_memory(node.outputs.size(), most_layout_bytes + sizeof(Tensor)));
  std::vector<Tensor> outputs(node.outputs.size());
  auto other = branches[1]->outputs.begin();
  std::size_t i = 0;
  for (const GraphOutput& output : branches[0]->outputs) {
    const Tensor& tensor = at(output.value);
    outputs[i] = is_decided ? tensor : common(tensor, at((*other).value), node.output_types[i]);
    ++other;
    ++i;
  }
  set_outputs(node, outputs);
  return {};
}

// What a loop changes is not known: states may have other dims in each iteration.
Status Inference::infer_loop(const Node& node) {
  std::size_t i = 0;
  for (const GraphInput& input : node.graph("body")->inputs) {
    at(input.value) = i++ < 2 ? of_dims(input.value->dtype, {}) : unranked(input.value->dtype);
  }
  return infer_outputs_of_body(node, node.inputs.size() - 2, 1);
}

Status Inference::infer_scan(const Node& node) {
  const Result<BodyParts> parts = parts_of_body(node);
  if (!parts) return {};
  std::size_t i = 0;
  for (const GraphInput& input : node.graph("body")->inputs) {
    const std::size_t number = i++;
    at(input.value) = unranked(input.value->dtype);
    const Tensor& scanned = at(node.inputs[parts->first_state + number]);
    const bool has_axes = node.attributes.find("scan_input_axes") != nullptr;
    if (number < parts->states || !scanned.is_ranked() || has_axes) continue;
    const std::size_t dropped = parts->first_state + 1;  // a version with batches has two axes before the slice's
    if (scanned.dims().size() < dropped) continue;
    Dims dims = without_axis(scanned.dims(), 0);
    if (dropped == 2) dims = without_axis(dims, 0);
    at(input.value) = of_dims(input.value->dtype, dims);
  }
  return infer_outputs_of_body(node, parts->states, 0);
}

// Of what iterations make, the dims are those of one, with an axis for the iterations.
Status Inference::infer_outputs_of_body(const Node& node, std::size_t states, std::size_t extra_outputs) {
  const Graph& body = *node.graph("body");
  BROADLOOM_CHECK(infer(body));
  BROADLOOM_CHECK(require_memory(node.outputs.size(), most_layout_bytes + sizeof(Tensor)));
  std::vector<Tensor> outputs(node.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = unranked(node.output_types[i]);
  std::size_t i = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t place = i++ - extra_outputs;
    if (place < states || place >= outputs.size()) continue;
    const Tensor& item = at(output.value);
    const std::size_t item_rank = item.is_ranked() ? item.dims().size() : most_axes;
    const bool has_batches = node.op == &scan && node.version->since_version == 8;
    if (has_batches) continue;
    // Without iterations, only what is declared tells the rank.
    const bool has_rank = output.info.has_shape && output.info.dims.size() == item_rank;
    if (!has_rank || item_rank == most_axes) continue;
    outputs[place] = of_dims(node.output_types[place], Dims(item_rank + 1, unknown_size));
  }
  set_outputs(node, outputs);
  return {};
}

bool Inference::contradicts(const Value& value) const {
  const Dims& dims = tensors_[value.place].dims();
  if (dims.size() != value.declared->dims.size()) return true;
  const Size* size = dims.begin();
  for (const Dimension& dim : value.declared->dims) {
    if (dim.value >= 0 && is_number(*size) && dim.value != *size) return true;
    ++size;
  }
  return false;
}

void Inference::warn(const Value& value) {
  if (warned_ == nullptr) return;
  Text declared;
  append_dims(declared, *value.declared);
  Text dims;
  const char* separator = "";
  for (const Size size : tensors_[value.place].dims()) {
    dims.append("{}{}", separator, is_number(size) ? Part(size) : Part("?"));
    separator = ", ";
  }
  warned_->warn("{} is declared as {}, but is [{}]", quoted(value.name), declared.view(), dims.view());
}

// A run does not hold a model to the dims that it declares for what its nodes make. So nothing may build on them, unless there
// will be no run.
Status Inference::take_declared(const Node& node) {
  for (const Value* value : node.outputs) {
    if (value == nullptr || value->declared == nullptr || !value->declared->has_shape) continue;
    Tensor& tensor = at(value);
    const bool is_known = tensor.is_ranked();
    if (is_known && contradicts(*value)) {
      warn(*value);
      continue;
    }
    if (can_run_ || (is_known && are_numbers(tensor.dims()))) continue;
    BROADLOOM_CHECK(require_memory());
    Tensor taken = declared(value->dtype, *value->declared);
    if (is_known) {
      Dims dims = taken.dims();
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
