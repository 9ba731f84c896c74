#include "graph/infer/shape_inference.h"

#include <algorithm>

#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/structure/control_flow.h"
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

// Whether a tensor is small, and integer elements are numbers.
bool has_numbers(const Tensor& tensor) { return tensor.count() <= most_elements && are_elements_numbers(tensor); }

bool is_short_list(const Tensor& tensor) {
  constexpr std::int64_t most = 8;
  return tensor.is_ranked() && tensor.dims().size() < 2 && are_numbers(tensor.dims()) && tensor.count() <= most;
}

}  // namespace

Tensor without_expressions(const Tensor& tensor) {
  return !has_size_elements(tensor) || (is_dense(tensor) && has_numbers(tensor)) ? tensor
                                                                                 : known_dims(tensor.dtype, tensor.dims());
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
      // A default of an input is what a feed may replace. In old files all initializers are inputs, and hardly any is fed.
      const bool is_default =
          initializer.value->input != nullptr && !(is_for_people_ && model_.ir_version < first_ir_version_with_defaults);
      if (!is_default) at(initializer.value) = without_expressions(initializer.tensor);
    }
  }
  bool can_run = true;
  for (const Graph& graph : model_.graphs()) {
    for (const Node& node : graph.nodes) can_run = can_run && node.runs();
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
    BROADLOOM_CHECK(Watch::check(Watch::of_node));
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
// int64, whose items have the largest size that prepare reads.
Status ShapeInference::prepare_refused(const Node& node, Call& call) {
  BROADLOOM_CHECK(require_memory(call.inputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(call.inputs);
  std::vector<Tensor> bare(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr || !inputs[i]->has_elements() || inputs[i]->dtype == Dtype::int64) continue;
    bare[i] = known_dims(inputs[i]->dtype, inputs[i]->dims());
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
    const bool may_be_symbolic = op.moves(i) || (computes_sizes && has_size_elements(*input));
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
    if (tensor.has_elements() && !are_numbers(tensor.dims())) tensor = known_dims(tensor.dtype, tensor.dims());
    // In a short list, each number may be known or unknown, so that concatenated lists are known in part.
    const bool may_hold_sizes = tensor.dtype == Dtype::int32 || tensor.dtype == Dtype::int64;
    if (may_hold_sizes && !tensor.has_elements() && is_short_list(tensor)) {
      Result<Tensor> list = make_tensor(tensor.dtype, tensor.dims());
      if (list) {
        for (std::int64_t j = 0; j < list->count(); ++j) set_size_at(*list, j, unknown_size);
        tensor = std::move(*list);
      }
    }
    // A size of a value is the same for all its readers.
    name_unknown_sizes(*node.outputs[i], tensor);
    at(node.outputs[i]) = std::move(tensor);
    is_only_declared_[node.outputs[i]->place] = 0;
  }
}

}  // namespace broadloom
