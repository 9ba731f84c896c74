// Reads ModelProto and GraphProto into a Model, and checks them. ONNX: onnx/onnx.proto, docs/IR.md; the rules are those
// of onnx/checker.cc (check_model, check_graph, check_node).
#include <map>

#include "core/memory.h"
#include "core/text.h"
#include "model/attribute_proto.h"
#include "model/model.h"
#include "model/tensor_proto.h"
#include "model/value_info_proto.h"

namespace broadloom {
namespace {

// Field numbers.
namespace model_proto {
constexpr std::uint32_t ir_version = 1, graph = 7, opset_import = 8;
}
namespace graph_proto {
constexpr std::uint32_t node = 1, initializer = 5, input = 11, output = 12, value_info = 13, sparse_initializer = 15;
}
namespace node_proto {
constexpr std::uint32_t input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7;
}

constexpr std::int64_t oldest_ir_version = 3;  // the first with opset imports

bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// Opset of the default domain; 0 when it is not imported.
struct ModelHeader {
  std::int64_t ir_version = 0;
  std::int64_t opset = 0;
};

void read_opset_import(WireReader message, ModelHeader& header) {
  std::string_view domain;
  std::int64_t version = 0;
  while (message.next()) {
    if (message.field() == 1) domain = message.name();
    if (message.field() == 2) version = message.integer();
  }
  if (!message.ok() || !is_default_domain(domain)) return;
  if (version < 1) message.fail("the opset of the default domain is {}", version);
  if (header.opset != 0 && header.opset != version) {
    message.fail("the default domain is imported twice, with opset {} and {}", header.opset, version);
  }
  header.opset = version;
}

ModelHeader read_model_header(WireReader& message) {
  ModelHeader header;
  std::int64_t imports = 0;
  std::int64_t graphs = 0;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case model_proto::ir_version: header.ir_version = message.integer(); break;
      case model_proto::opset_import: read_opset_import({message, "opset_import", imports++}, header); break;
      case model_proto::graph: ++graphs; break;
      default: break;
    }
  }
  if (message.ok() && header.ir_version < oldest_ir_version) {
    message.fail("ir_version is {}; 3 and later can be read", header.ir_version);
  }
  if (graphs != 1) message.fail("{} graphs, wanted one", graphs);
  return header;
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
  GraphReader(WireReader& graph, std::int64_t opset, Model& model) : graph_(graph), opset_(opset), model_(model) {}

  void read();

 private:
  // What is known of a name: an input, an initializer, or what a node produces.
  struct Value {
    ValueId id = no_value;
    Dtype dtype = Dtype::undefined;
    bool defined = false;         // false while its node has not been read
    std::int64_t producer = -1;   // number of its node
    Node* last_use = nullptr;     // the last node that reads it, or its own
    bool kept = false;            // an input, an initializer or an output: not released during a run
    GraphInput* input = nullptr;  // the graph's input of this name
    bool is_output = false;       // of the graph
  };

  // Calls read(message, number) for every message in a repeated field of the graph.
  using Read = void (GraphReader::*)(WireReader& message, std::int64_t number);
  void each(std::uint32_t field, const char* name, Read read_one);

  void read_input(WireReader& message, std::int64_t number);
  void read_initializer(WireReader& message, std::int64_t number);
  void read_sparse_initializer(WireReader& message, std::int64_t number);
  void declare_node_outputs(WireReader& message, std::int64_t number);
  void read_node(WireReader& message, std::int64_t number);
  void read_output(WireReader& message, std::int64_t number);
  void check_value_info(WireReader& message, std::int64_t number);

  // The value of a name, new or known.
  Value& value_of(std::string_view name);
  // The value of a name that is defined already, or nullptr.
  Value* find_defined(std::string_view name);

  void add_initializer(WireReader& message, std::string_view name, Tensor tensor);
  void check_declared(WireReader& message, const ValueInfo& declared, const Value& value);
  // Reads the node's inputs, attributes and outputs, and checks the call.
  Status resolve_node(WireReader& message, const NodeHeader& header, Node& node);
  Status resolve_inputs(WireReader& message, Node& node, Dtypes& types);
  Status add_node(WireReader& message, Node node);
  void define_outputs(WireReader& message, const Node& node, Node* added);
  Status run_constant(const Node& node);
  void plan_releases();

  WireReader& graph_;
  std::int64_t opset_;
  Model& model_;
  std::map<std::string_view, Value> values_;   // names are views of the file
  std::map<std::string_view, Value> symbols_;  // names of sizes, of which only the number matters
};

void GraphReader::read() {
  each(graph_proto::input, "input", &GraphReader::read_input);
  each(graph_proto::initializer, "initializer", &GraphReader::read_initializer);
  each(graph_proto::sparse_initializer, "sparse_initializer", &GraphReader::read_sparse_initializer);
  each(graph_proto::node, "node", &GraphReader::declare_node_outputs);
  each(graph_proto::node, "node", &GraphReader::read_node);
  each(graph_proto::output, "output", &GraphReader::read_output);
  each(graph_proto::value_info, "value_info", &GraphReader::check_value_info);
  if (graph_.ok()) plan_releases();
}

void GraphReader::each(std::uint32_t field, const char* name, Read read_one) {
  std::int64_t number = 0;
  for (graph_.rewind(); graph_.next();) {
    if (graph_.field() != field) continue;
    WireReader message(graph_, name, number);
    (this->*read_one)(message, number++);
  }
}

GraphReader::Value& GraphReader::value_of(std::string_view name) {
  Value& value = values_[name];
  if (value.id == no_value) value.id = model_.value_count_++;
  return value;
}

GraphReader::Value* GraphReader::find_defined(std::string_view name) {
  const auto entry = values_.find(name);
  return entry == values_.end() || !entry->second.defined ? nullptr : &entry->second;
}

void GraphReader::read_input(WireReader& message, std::int64_t) {
  GraphInput& input = model_.inputs.emplace_back();
  const std::string_view name = read_value_info_proto(message, input.info);
  if (name.empty()) message.fail("an input without a name");
  for (Dimension& dim : input.info.dims) {
    if (dim.name.empty() || dim.value >= 0) continue;
    Value& symbol = symbols_[dim.name];
    if (symbol.id == no_value) symbol.id = model_.symbol_count_++;
    dim.symbol = symbol.id;
  }
  if (input.info.dtype == Dtype::undefined) message.fail("{} has no element type", quoted(name));
  Value& value = value_of(name);
  if (value.defined) message.fail("the name {} is used twice", quoted(name));
  input.value = value.id;
  value.input = &input;
  value.dtype = input.info.dtype;
  value.defined = value.kept = true;
}

void GraphReader::read_initializer(WireReader& message, std::int64_t) {
  std::string_view name;
  Tensor tensor = read_tensor_proto(message, &name);
  if (message.ok()) add_initializer(message, name, std::move(tensor));
}

void GraphReader::read_sparse_initializer(WireReader& message, std::int64_t) {
  std::string_view name;
  const SparseTensor sparse = read_sparse_tensor_proto(message, &name);
  if (!message.ok()) return;
  Result<Tensor> tensor = to_dense(sparse);
  if (!tensor) return message.fail(tensor.error());
  add_initializer(message, name, std::move(*tensor));
}

void GraphReader::add_initializer(WireReader& message, std::string_view name, Tensor tensor) {
  if (name.empty()) message.fail("an initializer without a name");
  Value& value = value_of(name);
  GraphInput* input = value.input;
  if (input != nullptr && !input->has_default) {
    input->has_default = true;
    check_declared(message, input->info, {.dtype = tensor.dtype});
  } else if (value.defined) {
    message.fail("the name {} is used twice", quoted(name));
  }
  value.dtype = tensor.dtype;
  value.defined = value.kept = true;
  model_.initializers_.push_back({value.id, std::move(tensor)});
}

void GraphReader::declare_node_outputs(WireReader& message, std::int64_t number) {
  while (message.next()) {
    if (message.field() != node_proto::output) continue;
    const std::string_view name = message.name();
    if (name.empty()) continue;
    Value& value = value_of(name);
    if (value.defined || value.producer >= 0) message.fail("the name {} is used twice", quoted(name));
    value.producer = number;
  }
}

void GraphReader::read_node(WireReader& message, std::int64_t number) {
  const NodeHeader header = read_node_header(message);
  Text label;
  label.append(header.name.empty() ? "#{}" : "{}", header.name.empty() ? Part(number) : Part(clipped(header.name)));
  if (header.op_type.empty()) message.fail("a node without op_type");
  if (!message.ok()) return;

  const bool is_default = is_default_domain(header.domain);
  const Operator* op = is_default ? find_operator(header.op_type) : nullptr;
  Status status;
  if (op == nullptr) {
    status = is_default
                 ? fail(Code::UnknownOperator, "no operator {}", quoted(header.op_type))
                 : fail(Code::UnknownOperator, "no operator {} in domain {}", quoted(header.op_type), quoted(header.domain));
  } else if (opset_ == 0) {
    status = fail(Code::InvalidModel, "needs an opset_import for the default domain");
  } else if (Result<const OperatorVersion*> version = select_version(*op, opset_)) {
    Node node{{*op, **version, opset_}, std::string(label.view()), {}, {}, {}, {}, {}};
    status = resolve_node(message, header, node);
    if (status && message.ok()) status = add_node(message, std::move(node));
  } else {
    status = Failure(version.error());
  }
  if (!status) {
    status.error()->message.prepend("{}: ", quoted(label.view()));
    message.fail(status.error());
  }
  if (message.ok()) return;
  const Error error = message.error();
  error->node = label;
  error->opset = opset_;
  if (error->op.empty()) error->op.append("{}", clipped(header.op_type));
}

Status GraphReader::resolve_node(WireReader& message, const NodeHeader& header, Node& node) {
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs, sizeof(ValueId) * 8));
  node.inputs.assign(header.inputs, no_value);
  Dtypes types(header.inputs, Dtype::undefined);
  BROADLOOM_CHECK(resolve_inputs(message, node, types));
  std::int64_t attributes = 0;
  for (message.rewind(); message.next();) {
    if (message.field() == node_proto::attribute) {
      WireReader attribute(message, "attribute", attributes++);
      read_attribute_proto(attribute, node.selection, node.attributes);
    } else if (message.field() == node_proto::output) {
      const std::string_view name = message.name();
      const std::size_t position = node.outputs.size();
      const auto& outputs = node.selection.version.outputs;
      if (name.empty() && position < outputs.size() && outputs[position].option == Option::Single) {
        return Failure(in_operator(make_error(Code::InvalidModel, "output {} has no name", position), node.selection));
      }
      node.outputs.push_back(name.empty() ? no_value : value_of(name).id);
    }
  }
  if (!message.ok()) return {};
  node.output_types = Dtypes(node.outputs.size());
  BROADLOOM_CHECK(check_call(node.selection, types, node.output_types, node.attributes));
  return {};
}

Status GraphReader::resolve_inputs(WireReader& message, Node& node, Dtypes& types) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::input) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (name.empty()) continue;
    const auto entry = values_.find(name);
    if (entry == values_.end()) return fail(Code::InvalidModel, "nothing produces its input {}", quoted(name));
    const Value& value = entry->second;
    if (!value.defined) {
      return fail(Code::InvalidModel,
                  "its input {} is produced only by node {}; nodes must be in topological order, without cycles", quoted(name),
                  value.producer);
    }
    types[position] = value.dtype;
    node.inputs[position] = value.id;
  }
  return {};
}

void GraphReader::define_outputs(WireReader& message, const Node& node, Node* added) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    const bool is_output = message.field() == node_proto::output;
    if (!is_output && message.field() != node_proto::input) continue;
    const std::string_view name = message.name();
    const std::size_t position = is_output ? i++ : 0;
    if (name.empty()) continue;
    Value& value = value_of(name);
    value.last_use = added;
    if (!is_output) continue;
    value.dtype = node.output_types[position];
    value.defined = true;
    value.kept = added == nullptr;
  }
}

Status GraphReader::add_node(WireReader& message, Node node) {
  if (node.inputs.empty()) {
    define_outputs(message, node, nullptr);
    return run_constant(node);
  }
  Node& added = model_.nodes_.emplace_back(std::move(node));
  define_outputs(message, added, &added);
  return {};
}

// Nodes without inputs are constants: they run now, and their values join the initializers.
Status GraphReader::run_constant(const Node& node) {
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{{}, node.attributes, node.output_types, outputs};
  BROADLOOM_CHECK(run_call(node.selection, call));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != no_value) model_.initializers_.push_back({node.outputs[i], std::move(outputs[i])});
  }
  return {};
}

void GraphReader::read_output(WireReader& message, std::int64_t) {
  GraphOutput& output = model_.outputs.emplace_back();
  const std::string_view name = read_value_info_proto(message, output.info);
  Value* value = find_defined(name);
  if (name.empty() || value == nullptr) return message.fail("nothing produces the output {}", quoted(name));
  if (value->is_output) message.fail("the output {} is listed twice", quoted(name));
  check_declared(message, output.info, *value);
  value->is_output = value->kept = true;
  output.value = value->id;
  output.info.dtype = value->dtype;
}

void GraphReader::check_value_info(WireReader& message, std::int64_t) {
  ValueInfo info;
  const Value* value = find_defined(read_value_info_proto(message, info));
  if (value != nullptr) check_declared(message, info, *value);
}

void GraphReader::check_declared(WireReader& message, const ValueInfo& declared, const Value& value) {
  if (declared.dtype == Dtype::undefined || declared.dtype == value.dtype) return;
  message.fail("{} is declared as {}, but it is {}", quoted(declared.name), declared.dtype, value.dtype);
}

void GraphReader::plan_releases() {
  for (const auto& [name, value] : values_) {
    if (!value.kept && value.last_use != nullptr) value.last_use->last_uses.push_back(value.id);
  }
}

Result<std::unique_ptr<Model>> Model::load(std::string_view file) {
  Source source(file);
  WireReader message(source, "");
  const ModelHeader header = read_model_header(message);
  auto model = std::make_unique<Model>();
  for (message.rewind(); message.next();) {
    if (message.field() != model_proto::graph) continue;
    WireReader graph(message, "graph");
    GraphReader(graph, header.opset, *model).read();
  }
  if (!source.ok()) return Failure(source.error());
  return model;
}

}  // namespace broadloom
