#include "graph/check/checker.h"

#include <utility>
#include <vector>

#include "core/memory.h"
#include "core/text.h"
#include "graph/fusion/fusion.h"
#include "graph/infer/shape_inference.h"
#include "graph/structure/control_flow.h"
#include "ops/named_operators.h"

namespace broadloom {

Status check_declared(const ValueInfo& declared, Dtype dtype) {
  if (declared.dtype == Dtype::undefined || dtype == Dtype::undefined || declared.dtype == dtype) return {};
  return fail(Code::InvalidModel, "{} is declared as {}, but it is {}", quoted(declared.name), declared.dtype, dtype);
}

namespace {

void set_fault(Node& node, Code code, std::string_view text, Arena& arena) {
  Fault& fault = arena.make_list<Fault>(1)[0];
  fault = {code, arena.copy(text)};
  node.fault = &fault;
}

}  // namespace

Status unless_allowed(Status status, Unsupported unsupported, Model& model, Node& node) {
  if (status) return status;
  const Error error = status.error();
  const bool is_reason = error->code == Code::UnknownOperator || error->code == Code::UnsupportedType;
  if (unsupported == Unsupported::refused || !is_reason) return status;
  set_fault(node, error->code, error->message.view(), model.arena);
  return {};
}

namespace {

class Checker {
 public:
  Checker(Model& model, Unsupported unsupported) : model_(model), unsupported_(unsupported) {}

  Status check(Graph& graph);

 private:
  Status check(Graph& graph, Node& node);
  Status check_call(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs);
  Status check_constant_type(Node& node, std::span<ElementType> outputs, Status status);
  Status check_graphs(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs);
  Status check_branches(Node& node, std::span<ElementType> outputs);
  Status check_body(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs);
  static Status check_body_operands(std::span<const ElementType> types, const BodyParts& parts, const Graph& body);
  Status define_outputs(Node& node, std::span<const ElementType> types);
  Status check_output(GraphOutput& output, const Graph& graph);
  Status run_constant(Graph& graph, Node& node);
  Status without_elements(Node& node);

  Model& model_;
  Unsupported unsupported_;
};

ElementType type_of(const Value* value) { return value == nullptr ? ElementType() : ElementType(value->dtype); }

// Adds the node and its place in the file to an error. INVALID_ARGUMENT becomes INVALID_MODEL.
Failure at_node(Error error, const Graph& graph, const Node& node) {
  if (error->code == Code::InvalidArgument) error->code = Code::InvalidModel;
  if (!error->node.empty()) return Failure(error);  // the error has its place already
  append_label(error->node, node);
  Text place;
  append_place(place, graph, node);
  error->message.prepend("{}, {}: ", place.view(), quoted(error->node.view()));
  error->opset = node.opset;
  if (error->op.empty()) error->op.append("{}", clipped(node.op_type));
  return Failure(error);
}

Status Checker::check(Graph& graph) {
  // A node may become unsupported after its graphs were checked, and then they are visited again. Constants must run once, and
  // nested graphs would take twice as long for each level.
  if (graph.is_checked) return {};
  graph.is_checked = true;
  for (Node* node : graph.order) {
    BROADLOOM_CHECK(require_memory());
    const Status status = check(graph, *node);
    if (!status) return at_node(status.error(), graph, *node);
    if (!node->runs() || unsupported_graph(*node) != nullptr) graph.can_run = false;
  }
  std::size_t i = 0;
  for (GraphOutput& output : graph.outputs) {
    const Status status = check_output(output, graph);
    if (!status) {
      if (graph.owner == nullptr) status.error()->message.prepend("graph.output[{}]: ", i);
      return status;
    }
    ++i;
  }
  return fuse_nodes(model_, graph);
}

Status Checker::check(Graph& graph, Node& node) {
  if (node.is_constant) return {};  // it has already run
  BROADLOOM_CHECK(require_memory(node.inputs.size() + node.outputs.size(), sizeof(ElementType)));
  ElementTypes types(node.inputs.size());
  ElementTypes made(node.outputs.size());
  const std::span<ElementType> outputs(made.data(), made.size());
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = type_of(node.inputs[i]);
  if (node.has_schema()) BROADLOOM_CHECK(unless_allowed(check_call(node, types.values(), outputs), unsupported_, model_, node));
  // The graphs of an unchecked node are still checked.
  if (!node.is_checked()) {
    for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(check(*subgraph.graph));
    if (node.op != nullptr) set_types(*node.op, types.values(), outputs, node.attributes);
  }
  BROADLOOM_CHECK(define_outputs(node, outputs));
  if (!node.is_checked()) return {};
  if (node.inputs.empty() && node.graphs.empty()) return run_constant(graph, node);
  return without_elements(node);
}

Status Checker::check_call(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs) {
  const Selection selection{*node.op, *node.version, node.opset};
  if (!node.graphs.empty()) {
    const Status count = check_input_count(selection, types.size());
    Status status = count ? check_graphs(node, types, outputs) : count;
    if (!status) return status.error()->op.empty() ? Failure(in_operator(status.error(), selection)) : status;
  }
  const Status status = broadloom::check_call(selection, types, outputs, node.attributes);
  return status ? status : check_constant_type(node, outputs, status);
}

// Exporters write Constants of types from later opsets. These are accepted.
Status Checker::check_constant_type(Node& node, std::span<ElementType> outputs, Status status) {
  if (node.op != &op::constant || status.error()->code != Code::UnsupportedType) return status;
  const Selection newest{*node.op, node.op->versions.back(), newest_opset};
  const Text reason = status.error()->message;
  BROADLOOM_CHECK(broadloom::check_call(newest, {}, outputs, node.attributes));
  Text label;
  append_label(label, node);
  model_.warn("{}: {}", quoted(label.view()), reason.view());
  return {};
}

Status Checker::check_graphs(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs) {
  return node.op == &if_operator ? check_branches(node, outputs) : check_body(node, types, outputs);
}

Status Checker::check_branches(Node& node, std::span<ElementType> outputs) {
  const auto [else_graph, then_graph] = std::pair(node.graph("else_branch"), node.graph("then_branch"));
  // check_call reports missing graphs.
  if (else_graph == nullptr || then_graph == nullptr) return {};
  for (const Subgraph& branch : node.graphs) {
    if (branch.graph->inputs.size() != 0) {
      return fail(Code::InvalidArgument, "{} has inputs; a branch takes none", branch.attribute);
    }
    if (branch.graph->outputs.size() != node.outputs.size()) {
      return fail(Code::InvalidArgument, "{} has {} outputs, but the node {}", branch.attribute, branch.graph->outputs.size(),
                  node.outputs.size());
    }
    BROADLOOM_CHECK(check(*branch.graph));
  }
  auto other = else_graph->outputs.begin();
  std::size_t i = 0;
  for (const GraphOutput& output : then_graph->outputs) {
    const Dtype then_type = output.info.dtype;
    const Dtype else_type = (*other).info.dtype;
    ++other;
    if (then_type != else_type && then_type != Dtype::undefined && else_type != Dtype::undefined) {
      return fail(Code::InvalidArgument, "output {} is {} in then_branch, but {} in else_branch", i, then_type, else_type);
    }
    outputs[i++] = ElementType(then_type == Dtype::undefined ? else_type : then_type);
  }
  return {};
}

// Initial states and scanned inputs are never optional.
Status Checker::check_body_operands(std::span<const ElementType> types, const BodyParts& parts, const Graph& body) {
  std::size_t number = 0;
  for (const GraphInput& input : body.inputs) {
    const std::size_t place = number++ - parts.extra_inputs;
    if (number <= parts.extra_inputs || !types[place].is_absent()) continue;
    const bool is_state = place < parts.states;
    return fail(Code::InvalidArgument, "{} {} is missing, which its body reads as {}", is_state ? "state" : "scan input",
                is_state ? place : place - parts.states, quoted(input.info.name));
  }
  return {};
}

Status Checker::check_body(Node& node, std::span<const ElementType> types, std::span<ElementType> outputs) {
  if (node.graph("body") == nullptr) return {};
  Graph& body = *node.graphs[0].graph;
  BROADLOOM_TRY(parts, parts_of_body(node));
  BROADLOOM_CHECK(check_body_operands(types.subspan(parts.first_state), parts, body));
  std::size_t i = 0;
  for (GraphInput& input : body.inputs) {
    const std::size_t number = i++;
    const bool is_extra = number < parts.extra_inputs;
    const Dtype extra_type = number == 0 ? Dtype::int64 : Dtype::boolean;
    const Dtype type = is_extra ? extra_type : types[parts.first_state + number - parts.extra_inputs].dtype();
    BROADLOOM_CHECK(check_declared(input.info, type));
    if (!input.info.is_tensor()) {
      return fail(Code::UnsupportedType, "{} is {}; only tensors can be computed", quoted(input.info.name), input.info.kind);
    }
    if (input.info.dtype == Dtype::undefined) input.info.dtype = type;
    input.value->dtype = input.info.dtype;
  }
  BROADLOOM_CHECK(check(body));
  i = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t number = i++;
    const Dtype type = output.info.dtype;
    if (number < parts.extra_outputs) {
      if (type == Dtype::undefined || type == Dtype::boolean) continue;
      return fail(Code::InvalidArgument, "the condition that its body makes is {}, wanted bool", type);
    }
    const std::size_t place = number - parts.extra_outputs;
    if (place < parts.states) {
      const Dtype before = types[parts.first_state + place].dtype();
      if (before != Dtype::undefined && type != Dtype::undefined && before != type) {
        return fail(Code::InvalidArgument, "state {} is {}, but the body makes it {}", place, before, type);
      }
    }
    if (place < outputs.size()) outputs[place] = ElementType(type);
  }
  return {};
}

Status Checker::define_outputs(Node& node, std::span<const ElementType> types) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Dtype& type = node.output_types[i];
    type = types[i].dtype();
    if (node.outputs[i] == nullptr) continue;
    Value& value = *node.outputs[i];
    // The file's declaration of an unchecked node is used.
    const bool is_declared = value.declared != nullptr && value.declared->dtype != Dtype::undefined;
    if (!node.is_checked() && is_declared) type = Dtype::undefined;
    value.dtype = type;
    if (value.declared == nullptr) continue;
    BROADLOOM_CHECK(check_declared(*value.declared, type));
    if (type == Dtype::undefined) value.dtype = value.declared->dtype;
  }
  return {};
}

Status Checker::check_output(GraphOutput& output, const Graph& graph) {
  Value& value = *output.value;
  BROADLOOM_CHECK(check_declared(output.info, value.dtype));
  if (output.info.dtype == Dtype::undefined && graph.owner == nullptr && output.info.is_tensor()) {
    model_.warn("the output {} declares no element type", quoted(output.info.name));
  }
  if (value.dtype != Dtype::undefined) output.info.dtype = value.dtype;
  return {};
}

// Runs a node without inputs: it is a constant.
Status Checker::run_constant(Graph& graph, Node& node) {
  const Selection selection{*node.op, *node.version, node.opset};
  BROADLOOM_CHECK(require_memory(node.outputs.size(), sizeof(Tensor)));
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{*node.version, {}, node.attributes, node.output_types, outputs};
  const Status status = node.op->prepare(call);
  if (!status) return Failure(in_operator(status.error(), selection));
  std::unique_ptr<SparseTensor> sparse = node.attributes.take_sparse();
  const NodeRecord& record = model_.records.nodes[node.is_changed ? 0 : node.record];
  // If the model will be written again, they are in the record.
  if (!record.message.empty()) node.attributes.clear();
  node.is_constant = true;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    Initializer& initializer = graph.initializers.add(model_.arena);
    initializer.value = node.outputs[i];
    initializer.tensor = std::move(outputs[i]);
    initializer.sparse = std::exchange(sparse, nullptr);
    initializer.record = record.value;
    initializer.external = record.external;
    initializer.is_promised = record.external != nullptr;
    initializer.is_of_node = true;
    node.outputs[i]->initializer = &initializer;
  }
  return {};
}

// A node that reads an initializer in another file without its elements is supported only if it needs just the dims.
Status Checker::without_elements(Node& node) {
  const Value* lacking = nullptr;
  BROADLOOM_CHECK(require_memory(node.inputs.size() + node.outputs.size(), sizeof(Tensor)));
  std::vector<Tensor> known(node.inputs.size());
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr) continue;
    const Initializer* initializer = value->initializer;
    known[i] = initializer != nullptr ? without_expressions(initializer->tensor) : unranked(value->dtype);
    inputs[i] = &known[i];
    if (initializer != nullptr && initializer->external != nullptr && !initializer->is_promised) lacking = value;
  }
  if (lacking == nullptr) return {};
  std::vector<Tensor> outputs(node.outputs.size());
  Expressions expressions;
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs, &expressions};
  if (node.graphs.empty() && node.op->prepare(call) && is_finished(call)) return {};
  const Error error = elements_of(*lacking, lacking->initializer).error();
  set_fault(node, Code::InvalidModel, error->message.view(), model_.arena);
  return {};
}

}  // namespace

Status check_model(Model& model, Unsupported unsupported) { return Checker(model, unsupported).check(*model.graph); }

}  // namespace broadloom
