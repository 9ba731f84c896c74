// Reads a GraphProto into a Model, and checks it. ONNX: onnx/onnx.proto, docs/IR.md; the rules are those
// of onnx/checker.cc (check_graph, check_node).
#include "model/graph_reader.h"

#include "core/memory.h"
#include "core/text.h"
#include "model/attribute_proto.h"
#include "model/name_index.h"
#include "model/tensor_proto.h"
#include "model/value_info_proto.h"

namespace broadloom {
namespace {

// Field numbers.
namespace graph_proto {
constexpr std::uint32_t node = 1, initializer = 5, input = 11, output = 12, value_info = 13, sparse_initializer = 15;
}
namespace node_proto {
constexpr std::uint32_t input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7;
}

// The parts of a NodeProto that choose its operator.
struct NodeHeader {
  std::string_view op_type;
  std::string_view domain;
  std::string_view name;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
};

NodeHeader read_node_header(WireReader& message) {
  NodeHeader header;
  while (message.next()) {
    switch (message.field()) {
      case node_proto::op_type: header.op_type = message.name(); break;
      case node_proto::domain: header.domain = message.name(); break;
      case node_proto::name: header.name = message.name(); break;
      case node_proto::input: ++header.inputs; break;
      case node_proto::output: ++header.outputs; break;
      default: break;
    }
  }
  return header;
}

}  // namespace

// Builds the model while it reads the graph. Like the readers, it keeps its first error in the source, and once there is
// one it does nothing more.
class GraphReader {
 public:
  GraphReader(WireReader& graph, Unsupported unsupported, Model& model)
      : graph_(graph), allows_unsupported_(unsupported == Unsupported::allowed), model_(model) {}

  void read();

 private:
  // Calls read(message, number) for every message in a repeated field of the graph.
  using Read = void (GraphReader::*)(WireReader& message, std::int64_t number);
  void each(std::uint32_t field, const char* name, Read read_one);

  void read_input(WireReader& message, std::int64_t number);
  void read_initializer(WireReader& message, std::int64_t number);
  void read_sparse_initializer(WireReader& message, std::int64_t number);
  void read_value_info(WireReader& message, std::int64_t number);
  void declare_node_outputs(WireReader& message, std::int64_t number);
  void read_node(WireReader& message, std::int64_t number);
  void read_output(WireReader& message, std::int64_t number);

  // The value of a name, new or known.
  Value& value_of(std::string_view name) { return values_.find_or_add(name, model_.arena_); }
  void read_info(WireReader& message, ValueInfo& info);
  Value& add_initializer(WireReader& message, std::string_view name, Tensor tensor);
  static void check_declared(WireReader& message, const ValueInfo& declared, Dtype dtype);
  Status select_operator(const NodeHeader& header, Node& node);
  Status unless_allowed(Status status, Node& node);
  // Reads the node's inputs, attributes and outputs, and checks the call.
  Status resolve_node(WireReader& message, const NodeHeader& header, Node& node);
  Status resolve_inputs(WireReader& message, Node& node, Dtypes& types);
  Status resolve_outputs(WireReader& message, Node& node);
  void define_outputs(WireReader& message, Node& node);
  Status run_constant(Node& node);

  WireReader& graph_;
  bool allows_unsupported_;
  Model& model_;
  NameIndex values_;
  NameIndex symbols_;  // names of sizes, of which only the number matters
};

void GraphReader::read() {
  each(graph_proto::input, "input", &GraphReader::read_input);
  each(graph_proto::initializer, "initializer", &GraphReader::read_initializer);
  each(graph_proto::sparse_initializer, "sparse_initializer", &GraphReader::read_sparse_initializer);
  each(graph_proto::node, "node", &GraphReader::declare_node_outputs);
  // What is declared stands in for the types that unsupported nodes make. Where there are none, nodes are checked first.
  if (allows_unsupported_) each(graph_proto::value_info, "value_info", &GraphReader::read_value_info);
  each(graph_proto::node, "node", &GraphReader::read_node);
  each(graph_proto::output, "output", &GraphReader::read_output);
  if (!allows_unsupported_) each(graph_proto::value_info, "value_info", &GraphReader::read_value_info);
  model_.value_count = values_.size();
  model_.symbol_count = symbols_.size();
  model_.last_symbol = symbols_.last();
}

void GraphReader::each(std::uint32_t field, const char* name, Read read_one) {
  std::int64_t number = 0;
  for (graph_.rewind(); graph_.next();) {
    if (graph_.field() != field) continue;
    WireReader message(graph_, name, number);
    (this->*read_one)(message, number++);
  }
}

void GraphReader::read_info(WireReader& message, ValueInfo& info) {
  read_value_info_proto(message, info, model_.arena_, !allows_unsupported_);
  info.name = model_.arena_.copy(info.name);
  for (Dimension& dim : info.dims) {
    if (dim.name.empty() || dim.value >= 0) continue;
    dim.name = model_.arena_.copy(dim.name);
    dim.symbol = static_cast<std::int32_t>(symbols_.find_or_add(dim.name, model_.arena_).number);
  }
}

void GraphReader::read_input(WireReader& message, std::int64_t) {
  GraphInput& input = model_.inputs.add(model_.arena_);
  read_info(message, input.info);
  const std::string_view name = input.info.name;
  if (name.empty()) message.fail("an input without a name");
  if (input.info.dtype == Dtype::undefined) message.fail("{} has no element type", quoted(name));
  Value& value = value_of(name);
  if (value.is_defined) message.fail("the name {} is used twice", quoted(name));
  input.value = &value;
  value.input = &input;
  value.dtype = input.info.dtype;
  value.is_defined = value.is_kept = true;
}

void GraphReader::read_initializer(WireReader& message, std::int64_t) {
  std::string_view name;
  bool is_external = false;
  Tensor tensor = read_tensor_proto(message, &name, allows_unsupported_ ? &is_external : nullptr);
  if (message.ok()) add_initializer(message, name, std::move(tensor)).is_external = is_external;
}

void GraphReader::read_sparse_initializer(WireReader& message, std::int64_t) {
  std::string_view name;
  const SparseTensor sparse = read_sparse_tensor_proto(message, &name);
  if (!message.ok()) return;
  Result<Tensor> tensor = to_dense(sparse);
  if (!tensor) return message.fail(tensor.error());
  add_initializer(message, name, std::move(*tensor));
}

Value& GraphReader::add_initializer(WireReader& message, std::string_view name, Tensor tensor) {
  if (name.empty()) message.fail("an initializer without a name");
  Value& value = value_of(name);
  GraphInput* input = value.input;
  if (input != nullptr && !input->has_default) {
    input->has_default = true;
    check_declared(message, input->info, tensor.dtype);
  } else if (value.is_defined) {
    message.fail("the name {} is used twice", quoted(name));
  }
  value.dtype = tensor.dtype;
  value.is_defined = value.is_kept = true;
  Initializer& initializer = model_.initializers.add(model_.arena_);
  initializer.value = &value;
  initializer.tensor = std::move(tensor);
  return value;
}
void GraphReader::declare_node_outputs(WireReader& message, std::int64_t number) {
  while (message.next()) {
    if (message.field() != node_proto::output) continue;
    const std::string_view name = message.name();
    if (name.empty()) continue;
    Value& value = value_of(name);
    if (value.is_defined || value.producer >= 0) message.fail("the name {} is used twice", quoted(name));
    value.producer = number;
  }
}

void GraphReader::read_value_info(WireReader& message, std::int64_t) {
  ValueInfo& info = *model_.arena_.make_list<ValueInfo>(1).data();
  read_info(message, info);
  Value* value = values_.find(info.name);
  if (value == nullptr) return;
  value->declared = &info;
  if (value->is_defined) check_declared(message, info, value->dtype);
}

void GraphReader::read_node(WireReader& message, std::int64_t number) {
  const NodeHeader header = read_node_header(message);
  Node& node = model_.nodes.add(model_.arena_);
  node.number = number;
  node.name = model_.arena_.copy(header.name);
  node.op_type = model_.arena_.copy(header.op_type);
  node.domain = model_.arena_.copy(header.domain);
  if (header.op_type.empty()) message.fail("a node without op_type");
  if (!message.ok()) return;

  Status status = resolve_node(message, header, node);
  if (status && message.ok()) define_outputs(message, node);
  if (status && message.ok() && node.op != nullptr && node.inputs.empty()) status = run_constant(node);
  Text label;
  append_label(label, node);
  if (!status) {
    status.error()->message.prepend("{}: ", quoted(label.view()));
    message.fail(status.error());
  }
  if (message.ok()) return;
  const Error error = message.error();
  error->node = label;
  error->opset = model_.opset;
  if (error->op.empty()) error->op.append("{}", clipped(header.op_type));
}

Status GraphReader::select_operator(const NodeHeader& header, Node& node) {
  if (!is_default_domain(header.domain)) {
    return fail(Code::UnknownOperator, "no operator {} in domain {}", quoted(header.op_type), quoted(header.domain));
  }
  const Operator* op = find_operator(header.op_type);
  if (op == nullptr) return fail(Code::UnknownOperator, "no operator {}", quoted(header.op_type));
  if (model_.opset == 0) return fail(Code::InvalidModel, "needs an opset_import for the default domain");
  BROADLOOM_TRY(version, select_version(*op, model_.opset));
  node.op = op;
  node.version = version;
  return {};
}

// After an error that only makes the node unsupported, the model keeps the error for the node, which has no operator then.
Status GraphReader::unless_allowed(Status status, Node& node) {
  if (status) return status;
  const Error error = status.error();
  if (!allows_unsupported_ || (error->code != Code::UnknownOperator && error->code != Code::UnsupportedType)) return status;
  node.op = nullptr;
  node.code = error->code;
  node.error = model_.arena_.copy(error->message.view());
  return {};
}

Status GraphReader::resolve_node(WireReader& message, const NodeHeader& header, Node& node) {
  BROADLOOM_CHECK(unless_allowed(select_operator(header, node), node));
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs, sizeof(void*) * 8));
  node.inputs = model_.arena_.make_list<Value*>(header.inputs);
  node.outputs = model_.arena_.make_list<Value*>(header.outputs);
  node.output_types = model_.arena_.make_list<Dtype>(header.outputs);
  Dtypes types(header.inputs, Dtype::undefined);
  BROADLOOM_CHECK(resolve_inputs(message, node, types));
  BROADLOOM_CHECK(resolve_outputs(message, node));
  if (node.op == nullptr) return {};
  const Selection selection{*node.op, *node.version, model_.opset};
  std::int64_t attributes = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::attribute) continue;
    WireReader attribute(message, "attribute", attributes++);
    read_attribute_proto(attribute, selection, node.attributes);
  }
  if (!message.ok()) return {};
  return unless_allowed(check_call(selection, types, node.output_types, node.attributes), node);
}
Status GraphReader::resolve_inputs(WireReader& message, Node& node, Dtypes& types) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::input) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (name.empty()) continue;
    Value* value = values_.find(name);
    if (value == nullptr) return fail(Code::InvalidModel, "nothing produces its input {}", quoted(name));
    if (!value->is_defined) {
      return fail(Code::InvalidModel,
                  "its input {} is produced only by node {}; nodes must be in topological order, without cycles", quoted(name),
                  value->producer);
    }
    types[position] = value->dtype == Dtype::undefined ? unknown_type : value->dtype;
    node.inputs[position] = value;
    value->last_use = &node;
    // Only an input of which nothing but dims is used may be without its elements.
    const Parameter* parameter = node.op == nullptr ? nullptr : parameter_at(node.version->inputs, position);
    if (value->is_external && (parameter == nullptr || parameter->use != Use::Dims) && node.error.empty()) {
      node.error = model_.arena_.copy("an input has external data, which is not supported yet");
    }
  }
  return {};
}

Status GraphReader::resolve_outputs(WireReader& message, Node& node) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::output) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (!name.empty()) {
      Value& value = value_of(name);
      node.outputs[position] = &value;
      value.last_use = &node;
      continue;
    }
    if (node.op == nullptr) continue;
    const std::span<const Parameter> outputs = node.version->outputs;
    if (position < outputs.size() && outputs[position].option == Option::Single) {
      const Selection selection{*node.op, *node.version, model_.opset};
      return Failure(in_operator(make_error(Code::InvalidModel, "output {} has no name", position), selection));
    }
  }
  return {};
}

void GraphReader::define_outputs(WireReader& message, Node& node) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Dtype& type = node.output_types[i];
    if (node.op == nullptr || type == unknown_type) type = Dtype::undefined;
    if (node.outputs[i] == nullptr) continue;
    Value& value = *node.outputs[i];
    value.dtype = type;
    value.is_defined = true;
    value.is_kept = node.inputs.empty();
    if (value.declared == nullptr) continue;
    check_declared(message, *value.declared, type);
    if (type == Dtype::undefined) value.dtype = value.declared->dtype;
  }
}

// Nodes without inputs are constants: they run now, and their values join the initializers.
Status GraphReader::run_constant(Node& node) {
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{{}, node.attributes, node.output_types, outputs};
  BROADLOOM_CHECK(run_call({*node.op, *node.version, model_.opset}, call));
  node.attributes.clear();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    Initializer& initializer = model_.initializers.add(model_.arena_);
    initializer.value = node.outputs[i];
    initializer.tensor = std::move(outputs[i]);
  }
  return {};
}

void GraphReader::read_output(WireReader& message, std::int64_t) {
  GraphOutput& output = model_.outputs.add(model_.arena_);
  read_info(message, output.info);
  const std::string_view name = output.info.name;
  Value* value = values_.find(name);
  if (name.empty() || value == nullptr || !value->is_defined) {
    return message.fail("nothing produces the output {}", quoted(name));
  }
  if (value->is_output) message.fail("the output {} is listed twice", quoted(name));
  check_declared(message, output.info, value->dtype);
  value->is_output = value->is_kept = true;
  if (value->declared == nullptr) value->declared = &output.info;
  output.value = value;
  if (value->dtype != Dtype::undefined) output.info.dtype = value->dtype;
  if (output.info.dtype == Dtype::undefined) message.fail("{} has no element type", quoted(name));
  if (value->is_external) message.fail("{} has external data, which is not supported yet", quoted(name));
}

void GraphReader::check_declared(WireReader& message, const ValueInfo& declared, Dtype dtype) {
  if (declared.dtype == Dtype::undefined || dtype == Dtype::undefined || declared.dtype == dtype) return;
  message.fail("{} is declared as {}, but it is {}", quoted(declared.name), declared.dtype, dtype);
}

void read_graph(WireReader& graph, Unsupported unsupported, Model& model) { GraphReader(graph, unsupported, model).read(); }

}  // namespace broadloom
