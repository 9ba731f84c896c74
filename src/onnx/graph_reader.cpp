// Reads a GraphProto into a Graph. ONNX: onnx/onnx.proto, docs/IR.md; the rules are those of onnx/checker.cc (check_graph,
// check_node), but for what real files do all the same.
#include "onnx/graph_reader.h"

#include <algorithm>

#include "core/memory.h"
#include "core/text.h"
#include "graph/control_flow.h"
#include "graph/order.h"
#include "graph/unique_names.h"
#include "onnx/attribute_proto.h"
#include "onnx/tensor_proto.h"
#include "onnx/value_info_proto.h"

namespace broadloom {
namespace {

// Field numbers.
namespace graph_proto {
constexpr std::uint32_t node = 1, initializer = 5, input = 11, output = 12, value_info = 13, quantization_annotation = 14,
                        sparse_initializer = 15;
}
namespace node_proto {
constexpr std::uint32_t input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7, overload = 8;
}
namespace function_proto {
constexpr std::uint32_t input = 4, output = 5, node = 7, default_attribute = 11;
}
constexpr std::uint32_t attribute_tensor = 5, attribute_sparse_tensor = 22, attribute_graph = 6, attribute_graphs = 11;

// Graphs in nodes of graphs, and functions that call functions: protobuf's own readers go no deeper than 100 messages, of which
// a graph takes three. The stack of the wasm module has room for twice as many.
constexpr std::size_t most_depth = 32;

// The tensor of an attribute, sparse or not; nothing where there is none, or where it comes in parts.
std::string_view tensor_of(WireReader& attribute) {
  std::string_view tensor;
  int count = 0;
  for (attribute.rewind(); attribute.next();) {
    if (attribute.field() != attribute_tensor && attribute.field() != attribute_sparse_tensor) continue;
    tensor = attribute.bytes();
    ++count;
  }
  return count == 1 ? tensor : std::string_view();
}

// The parts of a NodeProto that choose its operator.
struct NodeHeader {
  std::string_view op_type;
  std::string_view domain;
  std::string_view overload;
  std::string_view name;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t attributes = 0;
};

NodeHeader read_node_header(WireReader& message) {
  NodeHeader header;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case node_proto::op_type: header.op_type = message.name(); break;
      case node_proto::domain: header.domain = message.name(); break;
      case node_proto::overload: header.overload = message.name(); break;
      case node_proto::name: header.name = message.name(); break;
      case node_proto::input: ++header.inputs; break;
      case node_proto::output: ++header.outputs; break;
      case node_proto::attribute: ++header.attributes; break;
      default: break;
    }
  }
  return header;
}

bool holds(WireReader& attribute, std::uint32_t field) {
  bool found = false;
  for (attribute.rewind(); attribute.next();) found = found || attribute.field() == field;
  return found;
}

// Whether an AttributeProto has a graph in the field for one.
bool holds_graph(WireReader& attribute) { return holds(attribute, attribute_graph); }

// Whether exporters call any size so that they do not know: equal names are not equal sizes then.
bool tells_nothing(std::string_view name) {
  constexpr std::string_view numbered = "unk__";
  if (name.starts_with(numbered)) {
    name.remove_prefix(numbered.size());
    return std::all_of(name.begin(), name.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  }
  return name == "None" || name == "?" || name == "-1" || name == "*" || name == "unknown" || name == "unk";
}

// The value keeps its name, and stays.
void keep_named(Model& model, Graph& graph, Value& value, const Annotation* annotation) {
  value.is_named = true;
  NamedValue& named = graph.named.add(model.arena);
  named.value = &value;
  named.annotation = annotation;
}

struct Scope;

// The names of a node's attributes so far. Nodes seldom have many, but a file may give one as many as it has room for.
class AttributeNames {
 public:
  // False for a name that was added before.
  bool add(std::string_view name) {
    if (count_ < most_listed) {
      for (std::size_t i = 0; i < count_; ++i) {
        if (listed_[i] == name) return false;
      }
      listed_[count_++] = name;
      return true;
    }
    if (count_ == most_listed) {
      for (const std::string_view one : listed_) index_.find_or_add(one, arena_);
    }
    const std::size_t before = index_.size();
    index_.find_or_add(name, arena_);
    count_ += index_.size() - before;
    return index_.size() > before;
  }

 private:
  static constexpr std::size_t most_listed = 16;
  std::string_view listed_[most_listed];
  std::size_t count_ = 0;
  Arena arena_;
  NameIndex index_;  // of all names, once they are more than that
};

// An attribute that a function gets.
struct CallAttribute {
  std::string_view message;
  bool is_default = false;  // of the function, not of the call
};

// A call of a function that is being inlined.
struct FunctionCall {
  const ModelFunction& function;
  WireReader& message;  // the node
  const Scope& caller;
  const Node& node;
  NameIndex attribute_names;
  std::vector<CallAttribute> attributes;  // by the numbers of their names
};

// The names that a node can see.
struct Scope {
  Graph& graph;
  const Imports& imports;
  NameIndex& names;
  const Scope* outer = nullptr;  // of the graph around; nullptr for the model's graph and for functions
  const FunctionCall* call = nullptr;
  std::size_t depth = 0;
};

// An attribute as it is read: by its own name, but with the value of another one, if it refers to an attribute of a call.
struct GivenAttribute {
  AttributeHeader header;
  std::string_view message;
  const Scope* scope = nullptr;  // where the message stands
};

}  // namespace

// Builds the model while it reads. Like the readers, it keeps its first error in the source, and once there is one it does
// nothing more.
class GraphReader {
 public:
  explicit GraphReader(Reading& reading) : reading_(reading), model_(reading.model) {}

  void read(WireReader& message, Scope& scope);

 private:
  // Calls read(message, number) for every message in a repeated field.
  template <class Read>
  static void each(WireReader& parent, std::uint32_t field, const char* name, const Read& read) {
    each(
        parent, field, name,
        [](const void* what, WireReader& message, std::int64_t number) { (*static_cast<const Read*>(what))(message, number); },
        &read);
  }
  using ReadOne = void(const void* what, WireReader& message, std::int64_t number);
  static void each(WireReader& parent, std::uint32_t field, const char* name, ReadOne* read, const void* what);

  void read_input(WireReader& message, Scope& scope);
  void read_initializer(WireReader& message, Scope& scope);
  void read_sparse_initializer(WireReader& message, Scope& scope);
  const ExternalData* keep_external(const External& external);
  void add_initializer(WireReader& message, Scope& scope, std::string_view name, Initializer& initializer);
  void declare_node_outputs(WireReader& message, Scope& scope);
  void declare_output(WireReader& message, Scope& scope, std::string_view name, bool is_constant);
  void read_value_info(WireReader& message, Scope& scope);
  void read_output(WireReader& message, Scope& scope);
  void read_info(WireReader& message, ValueInfo& info);
  void read_annotation(WireReader& message, Scope& scope);
  void warn_of_sizes(const ValueInfo& info);

  void read_node(WireReader& message, Scope& scope, std::int64_t number);
  [[gnu::cold, gnu::noinline]] void fail_in_node(WireReader& message, const Status& status, const Node& node);
  Status select_operator(const NodeHeader& header, const Scope& scope, Node& node);
  Status resolve_node(WireReader& message, const NodeHeader& header, Scope& scope, Node& node);
  Status resolve_inputs(WireReader& message, Scope& scope, Node& node);
  Status resolve_outputs(WireReader& message, Scope& scope, Node& node);
  Value& output_of(Scope& scope, std::string_view name, Node& node);
  void capture(const Scope& scope, Value& value, Node& node);

  void read_attributes(WireReader& message, Scope& scope, Node& node);
  bool find_attribute(WireReader& attribute, const Scope& scope, bool is_checked, GivenAttribute& given);
  void read_subgraph(WireReader& attribute, const Scope& scope, Node& node, Subgraph& subgraph);

  void add_attribute(WireReader& attribute, FunctionCall& call, bool is_default);
  const ModelFunction* find_function(const NodeHeader& header);
  Status inline_function(WireReader& message, const NodeHeader& header, Scope& scope, const ModelFunction& function,
                         Node& node);
  Status bind_inputs(WireReader& body, const FunctionCall& call, Scope& inner);
  Status bind_outputs(WireReader& body, const FunctionCall& call, Scope& scope, Scope& inner);
  void unbind_repeated(WireReader& body, Scope& inner);
  Status check_outputs(WireReader& body, const FunctionCall& call, Scope& inner);
  void add_identity(Value& from, Value& to, const FunctionCall& call, Graph& graph);

  Value& new_value(std::string_view name, Graph& graph);
  // The value of a name in the scope's own graph or function, new or known; what a call binds is found by its alias.
  Value& value_of(std::string_view name, Scope& scope);
  // The value of a name that a node reads, here or around; nullptr when there is none.
  static Value* find(std::string_view name, const Scope& scope);

  Reading& reading_;
  Model& model_;
  NameIndex empty_names_;  // of sizes, which tell nothing: those that were warned of
  Value left_out_;         // what the name of an input stands for that a call of a function leaves out
};

void GraphReader::each(WireReader& parent, std::uint32_t field, const char* name, ReadOne* read, const void* what) {
  std::int64_t number = 0;
  for (parent.rewind(); parent.next();) {
    if (parent.field() != field) continue;
    WireReader message(parent, name, number);
    read(what, message, number++);
  }
}

// ---- Values ----

Value& GraphReader::new_value(std::string_view name, Graph& graph) {
  Value& value = *model_.arena.make_list<Value>(1).data();
  value.name = name;
  value.place = model_.frame_size++;
  value.graph = &graph;
  return value;
}

Value& GraphReader::value_of(std::string_view name, Scope& scope) {
  Value& value = scope.names.find_or_add(name, model_.arena);
  if (value.alias != nullptr) return *value.alias;
  if (value.graph == nullptr) {
    value.graph = &scope.graph;
    value.place = model_.frame_size++;
    value.is_of_function = scope.call != nullptr;
  }
  return value;
}

Value* GraphReader::find(std::string_view name, const Scope& scope) {
  for (const Scope* one = &scope; one != nullptr; one = one->outer) {
    Value* value = one->names.find(name, nullptr);
    if (value != nullptr) return value->alias != nullptr ? value->alias : value;
  }
  return nullptr;
}

// ---- What a graph declares ----

void GraphReader::read(WireReader& message, Scope& scope) {
  using namespace graph_proto;
  scope.graph.message = message.whole();
  each(message, input, "input", [&](WireReader& one, std::int64_t) { read_input(one, scope); });
  each(message, initializer, "initializer", [&](WireReader& one, std::int64_t) { read_initializer(one, scope); });
  each(message, sparse_initializer, "sparse_initializer",
       [&](WireReader& one, std::int64_t) { read_sparse_initializer(one, scope); });
  each(message, node, "node", [&](WireReader& one, std::int64_t) { declare_node_outputs(one, scope); });
  each(message, value_info, "value_info", [&](WireReader& one, std::int64_t) { read_value_info(one, scope); });
  each(message, node, "node", [&](WireReader& one, std::int64_t number) { read_node(one, scope, number); });
  each(message, output, "output", [&](WireReader& one, std::int64_t) { read_output(one, scope); });
  if (reading_.options.keeps_messages) {
    each(message, quantization_annotation, "quantization_annotation",
         [&](WireReader& one, std::int64_t) { read_annotation(one, scope); });
  }
  if (!message.ok()) return;
  const Status status = set_order(model_, scope.graph);
  if (!status) message.fail(status.error());
}

void GraphReader::read_info(WireReader& message, ValueInfo& info) {
  read_value_info_proto(message, info, model_.arena, reading_.options.unsupported == Unsupported::refused);
  info.name = model_.arena.copy(info.name);
  info.message = message.whole();
  info.has_dtype = info.dtype != Dtype::undefined;
  for (Dimension& dim : info.dims) {
    if (dim.name.empty() || dim.value >= 0) continue;
    dim.name = model_.arena.copy(dim.name);
    if (tells_nothing(dim.name)) continue;
    dim.symbol = static_cast<std::int32_t>(model_.symbols.find_or_add(dim.name, model_.arena).number);
  }
}

void GraphReader::warn_of_sizes(const ValueInfo& info) {
  for (const Dimension& dim : info.dims) {
    if (dim.value >= 0 || dim.name.empty() || dim.symbol >= 0) continue;
    const std::size_t before = empty_names_.size();
    empty_names_.find_or_add(dim.name, model_.arena);
    if (empty_names_.size() == before) continue;
    model_.warn("sizes are called {}, as exporters call any that they do not know: they may differ", quoted(dim.name));
  }
}

void GraphReader::read_input(WireReader& message, Scope& scope) {
  const std::size_t number = scope.graph.inputs.size();
  GraphInput& input = scope.graph.inputs.add(model_.arena);
  input.number = number;
  read_info(message, input.info);
  const std::string_view name = input.info.name;
  if (name.empty()) message.fail("an input without a name");
  const bool is_of_model = scope.graph.owner == nullptr;
  if (is_of_model) warn_of_sizes(input.info);
  if (is_of_model && input.info.dtype == Dtype::undefined && reading_.options.unsupported == Unsupported::refused) {
    message.fail("{} has no element type", quoted(name));
  }
  if (!message.ok()) return;
  if (scope.outer != nullptr && find(name, *scope.outer) != nullptr) {
    model_.warn("an input of {} hides {} of a graph around it", scope.graph.attribute, quoted(name));
  }
  Value& value = value_of(name, scope);
  if (value.is_defined) message.fail("the name {} is used twice", quoted(name));
  input.value = &value;
  value.input = &input;
  value.dtype = input.info.dtype;
  value.is_defined = value.is_kept = true;
}

void GraphReader::read_initializer(WireReader& message, Scope& scope) {
  std::string_view name;
  External external;
  external.is_read = reading_.options.gets_external;
  const bool can_lack = reading_.options.unsupported == Unsupported::allowed || reading_.options.gets_external;
  Tensor tensor = read_tensor_proto(message, &name, can_lack ? &external : nullptr);
  if (!message.ok()) return;
  Initializer& initializer = scope.graph.initializers.add(model_.arena);
  if (external.is_used) {
    initializer.external = keep_external(external);
    initializer.is_promised = reading_.options.gets_external || reading_.options.keeps_messages;
  }
  initializer.tensor = std::move(tensor);
  initializer.message = message.whole();
  add_initializer(message, scope, name, initializer);
}

const ExternalData* GraphReader::keep_external(const External& external) {
  ExternalData& data = *model_.arena.make_list<ExternalData>(1).data();
  data = external.data;
  data.location = model_.arena.copy(data.location);
  return &data;
}

void GraphReader::read_sparse_initializer(WireReader& message, Scope& scope) {
  std::string_view name;
  SparseTensor sparse = read_sparse_tensor_proto(message, &name);
  if (!message.ok()) return;
  const Status status = check_sparse(sparse);
  if (!status) return message.fail(status.error());
  Initializer& initializer = scope.graph.initializers.add(model_.arena);
  initializer.tensor = Tensor(sparse.values.dtype, uniform_layout(sparse.dims));
  initializer.sparse = std::make_unique<SparseTensor>(std::move(sparse));
  initializer.message = message.whole();
  add_initializer(message, scope, name, initializer);
}

void GraphReader::add_initializer(WireReader& message, Scope& scope, std::string_view name, Initializer& initializer) {
  if (name.empty()) return message.fail("an initializer without a name");
  Value& value = value_of(name, scope);
  initializer.value = &value;
  GraphInput* input = value.input;
  const Dtype dtype = initializer.tensor.dtype;
  if (input != nullptr && input->initializer == nullptr) {
    input->initializer = &initializer;
    const Status status = check_declared(input->info, dtype);
    if (!status) message.fail(status.error());
  } else if (value.is_defined) {
    message.fail("the name {} is used twice", quoted(name));
  } else {
    value.initializer = &initializer;
  }
  value.dtype = dtype;
  value.is_defined = value.is_kept = true;
}

void GraphReader::declare_node_outputs(WireReader& message, Scope& scope) {
  const NodeHeader header = read_node_header(message);
  const bool is_constant =
      header.op_type == op::constant.name && is_default_domain(header.domain) && find_function(header) == nullptr;
  for (message.rewind(); message.next();) {
    if (message.field() == node_proto::output) declare_output(message, scope, message.name(), is_constant);
  }
}

void GraphReader::declare_output(WireReader& message, Scope& scope, std::string_view name, bool is_constant) {
  if (name.empty() || !message.ok()) return;
  Value& value = value_of(name, scope);
  const bool is_input = value.is_defined || &value == &left_out_;
  if (is_input || (value.is_produced && !(value.is_of_constant && is_constant))) {
    return message.fail("the name {} is used twice", quoted(name));
  }
  if (value.is_produced) {
    value.is_repeated = true;
    model_.warn("the name {} is used for several Constant nodes: each node reads the one before it", quoted(name));
  } else if (scope.outer != nullptr && find(name, *scope.outer) != nullptr) {
    model_.warn("a node in {} makes {}, which hides the one of a graph around it", scope.graph.attribute, quoted(name));
  }
  value.is_produced = true;
  value.is_of_constant = is_constant;
}

void GraphReader::read_value_info(WireReader& message, Scope& scope) {
  ValueInfo& info = *model_.arena.make_list<ValueInfo>(1).data();
  read_info(message, info);
  if (!message.ok()) return;
  if (info.dtype == Dtype::undefined && info.is_tensor()) {
    model_.warn("value_info of {} declares no element type", quoted(info.name));
  }
  Value* value = scope.names.find(info.name, nullptr);
  if (value == nullptr) return;
  value->declared = &info;
  const Status status = check_declared(info, value->dtype);
  if (!status) message.fail(status.error());
}

void GraphReader::read_output(WireReader& message, Scope& scope) {
  GraphOutput& output = scope.graph.outputs.add(model_.arena);
  read_info(message, output.info);
  const std::string_view name = output.info.name;
  Value* value = name.empty() ? nullptr : find(name, scope);
  if (value == nullptr || !value->exists()) {
    return message.fail("nothing produces the output {}", quoted(name));
  }
  output.value = value;
  if (value->graph != &scope.graph) {
    capture(scope, *value, *scope.graph.owner);
    if (scope.graph.is_of_unknown()) value->is_named = true;
    return;
  }
  if (value->is_output && scope.graph.owner == nullptr) message.fail("the output {} is listed twice", quoted(name));
  value->is_output = value->is_kept = true;
  if (value->declared == nullptr) value->declared = &output.info;
}

// A TensorAnnotation: the name of a tensor, and entries with a key and the name of a tensor each.
void GraphReader::read_annotation(WireReader& message, Scope& scope) {
  constexpr std::uint32_t tensor_name = 1, entry = 2, entry_value = 2;
  Annotation& annotation = scope.graph.annotations.add(model_.arena);
  annotation.message = message.whole();
  for (message.rewind(); message.next();) {
    if (message.field() == tensor_name) annotation.value = find(message.name(), scope);
  }
  each(message, entry, "quant_parameter_tensor_names", [&](WireReader& one, std::int64_t) {
    while (one.next()) {
      if (one.field() != entry_value) continue;
      Value* value = find(one.name(), scope);
      if (value != nullptr && value->exists()) keep_named(model_, scope.graph, *value, &annotation);
    }
  });
}

// ---- Nodes ----

void GraphReader::read_node(WireReader& message, Scope& scope, std::int64_t number) {
  const NodeHeader header = read_node_header(message);
  if (header.op_type.empty()) message.fail("a node without op_type");
  if (!message.ok()) return;
  reading_.domains.find_or_add(is_default_domain(header.domain) ? "" : header.domain, model_.arena).is_produced = true;
  const ModelFunction* function = find_function(header);
  // A call stands for the nodes of its function, and is none of the graph's.
  Node& node = function != nullptr ? scope.graph.calls.add(model_.arena) : scope.graph.nodes.add(model_.arena);
  node.number = number;
  node.caller = scope.call == nullptr ? nullptr : &scope.call->node;
  node.name = model_.arena.copy(header.name);
  node.op_type = model_.arena.copy(header.op_type);
  node.domain = model_.arena.copy(header.domain);
  node.opset = scope.imports.opset;
  node.message = message.whole();
  const Status status = function != nullptr ? inline_function(message, header, scope, *function, node)
                                            : resolve_node(message, header, scope, node);
  if (status && message.ok()) return;
  fail_in_node(message, status, node);
}

void GraphReader::fail_in_node(WireReader& message, const Status& status, const Node& node) {
  Text label;
  append_label(label, node);
  if (!status && message.ok()) {
    if (status.error()->node.empty()) status.error()->message.prepend("{}: ", quoted(label.view()));
    message.fail(status.error());
  }
  const Error error = message.error();
  if (!error->node.empty()) return;
  error->node = label;
  error->opset = node.opset;
  if (error->op.empty()) error->op.append("{}", clipped(node.op_type));
}

Status GraphReader::select_operator(const NodeHeader& header, const Scope& scope, Node& node) {
  if (!header.overload.empty()) {
    return fail(Code::UnknownOperator, "no function {} with overload {}", quoted(header.op_type), quoted(header.overload));
  }
  const Operator* op = find_graph_operator(header.domain, header.op_type);
  if (op == nullptr || !op->runs()) {
    if (op != nullptr) {
      node.op = op;
      node.version = &newest_version(*op, scope.imports.opset);
    }
    if (is_default_domain(header.domain)) return fail(Code::UnknownOperator, "no operator {}", quoted(header.op_type));
    return fail(Code::UnknownOperator, "no operator {} in domain {}", quoted(header.op_type), quoted(header.domain));
  }
  if (scope.imports.opset == 0) return fail(Code::InvalidModel, "needs an opset_import for the default domain");
  if (op->traits.may_precede_its_opset) {
    node.op = op;
    node.version = &newest_version(*op, scope.imports.opset);
    return {};
  }
  BROADLOOM_TRY(version, select_version(*op, scope.imports.opset));
  node.op = op;
  node.version = version;
  return {};
}

Status GraphReader::resolve_node(WireReader& message, const NodeHeader& header, Scope& scope, Node& node) {
  BROADLOOM_CHECK(unless_allowed(select_operator(header, scope, node), reading_.options.unsupported, model_, node));
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs + header.attributes, sizeof(void*) * 8));
  node.inputs = model_.arena.make_list<Value*>(header.inputs);
  node.outputs = model_.arena.make_list<Value*>(header.outputs);
  node.output_types = model_.arena.make_list<Dtype>(header.outputs);
  BROADLOOM_CHECK(resolve_inputs(message, scope, node));
  BROADLOOM_CHECK(resolve_outputs(message, scope, node));
  read_attributes(message, scope, node);
  return {};
}

Status GraphReader::resolve_inputs(WireReader& message, Scope& scope, Node& node) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::input) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (name.empty() || !message.ok()) continue;
    Value* value = find(name, scope);
    if (value == &left_out_) continue;
    if (value == nullptr || !value->exists()) {
      return fail(Code::InvalidModel, "nothing produces its input {}", quoted(name));
    }
    node.inputs[position] = value;
    capture(scope, *value, node);
  }
  return {};
}

// Tells the node of the value's graph that has the reading one within its own graphs.
void GraphReader::capture(const Scope& scope, Value& value, Node& node) {
  if (value.graph == &scope.graph) return;
  Node* reader = &node;
  for (const Graph* graph = &scope.graph; graph != value.graph; graph = graph->outer) reader = graph->owner;
  if (value.captured_by == reader) return;
  value.captured_by = reader;
  reader->captures.add(model_.arena).value = &value;
}

Status GraphReader::resolve_outputs(WireReader& message, Scope& scope, Node& node) {
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::output) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (!message.ok()) return {};
    if (!name.empty()) {
      node.outputs[position] = &output_of(scope, name, node);
      continue;
    }
    if (!node.has_schema()) continue;
    const std::span<const Parameter> outputs = node.version->outputs();
    if (position < outputs.size() && outputs[position].option == Option::Single) {
      const Selection selection{*node.op, *node.version, node.opset};
      return Failure(in_operator(make_error(Code::InvalidModel, "output {} has no name", position), selection));
    }
  }
  return {};
}

Value& GraphReader::output_of(Scope& scope, std::string_view name, Node& node) {
  Value* value = &value_of(name, scope);
  if (value->producer != nullptr) {
    // Another Constant of this name: nodes from here on read this one.
    Value& again = new_value(value->name, scope.graph);
    again.is_of_function = scope.call != nullptr;
    again.is_produced = true;
    again.is_of_constant = true;
    again.declared = value->declared;
    scope.names.find(name, nullptr)->alias = &again;
    value = &again;
  }
  value->producer = &node;
  return *value;
}

// ---- Attributes ----

void GraphReader::read_attributes(WireReader& message, Scope& scope, Node& node) {
  AttributeNames names;  // of those that no version declares
  std::size_t graphs = 0;
  // Of a node that is not known, nothing but its graphs is read; of one without a schema, also what its rule for dims may ask
  // for.
  const auto is_graph = [&](const AttributeHeader& header) {
    return header.type == AttributeType::GRAPH && (!node.has_schema() || find_spec(*node.version, header.name) != nullptr);
  };
  each(message, node_proto::attribute, "attribute", [&](WireReader& attribute, std::int64_t) {
    if (holds_graph(attribute) && is_graph(read_attribute_header(attribute))) ++graphs;
  });
  node.graphs = model_.arena.make_list<Subgraph>(graphs);
  graphs = 0;
  const bool keeps = reading_.options.keeps_messages;
  std::size_t written = 0;
  for (message.rewind(); keeps && message.next();) written += message.field() == node_proto::attribute ? 1 : 0;
  node.written = model_.arena.make_list<WrittenAttribute>(written);
  written = 0;
  const auto keep = [&](const GivenAttribute& given) {
    if (keeps) node.written[written++] = {model_.arena.copy(given.header.name), given.message};
  };
  each(message, node_proto::attribute, "attribute", [&](WireReader& attribute, std::int64_t number) {
    if (keeps && holds(attribute, attribute_graphs))
      return attribute.fail("an attribute of several graphs: cannot be simplified");
    GivenAttribute given;
    if (!node.has_schema() && !holds_graph(attribute)) {
      if ((node.op == nullptr && !keeps) || !find_attribute(attribute, scope, false, given)) return;
      keep(given);
      if (node.op == nullptr) return;
      // Of several of one name, the first one counts.
      if (!names.add(given.header.name)) return;
      WireReader value(reading_.source, given.message, "attribute", number);
      return read_unchecked_attribute(value, given.header, model_.arena, node.attributes);
    }
    if (!find_attribute(attribute, scope, true, given)) return;
    keep(given);
    const bool has_graph = is_graph(given.header);
    if (has_graph && given.scope != &scope) return attribute.fail("a graph that a function gets as an attribute");
    if (node.has_schema()) {
      const Selection selection{*node.op, *node.version, node.opset};
      if (find_spec(*node.version, given.header.name) == nullptr && !names.add(given.header.name))
        return attribute.fail("attribute {} is given twice", quoted(given.header.name));
      WireReader value(reading_.source, given.message, "attribute", number);
      const bool is_constant = keeps && node.op == &op::constant;
      External external;
      read_attribute_value(given.scope == &scope ? attribute : value, given.header, selection, node.attributes,
                           is_constant ? &external : nullptr);
      if (is_constant) node.value_message = tensor_of(value);
      if (external.is_used && value.ok()) node.external = keep_external(external);
    }
    if (has_graph && attribute.ok()) {
      node.graphs[graphs].attribute = model_.arena.copy(given.header.name);
      read_subgraph(attribute, scope, node, node.graphs[graphs++]);
    }
  });
  // What refers to an attribute that the call does not give is none.
  node.written = node.written.first(written);
}

// False for one that is not given. What is not checked is not given either where it refers to nothing.
bool GraphReader::find_attribute(WireReader& attribute, const Scope& scope, bool is_checked, GivenAttribute& given) {
  const auto read_header = is_checked ? read_attribute_header : read_unchecked_header;
  given = {read_header(attribute), attribute.whole(), &scope};
  const AttributeHeader own = given.header;
  while (attribute.ok() && !given.header.reference.empty()) {
    if (given.scope == nullptr || given.scope->call == nullptr) {
      if (is_checked) attribute.fail("attribute {}: ref_attr_name outside a function", quoted(own.name));
      return false;
    }
    const FunctionCall& call = *given.scope->call;
    const Value* name = call.attribute_names.find(given.header.reference);
    const std::string_view wanted = given.header.reference;
    if (name == nullptr) return false;
    given.message = call.attributes[name->number].message;
    given.scope = call.attributes[name->number].is_default ? nullptr : &call.caller;
    WireReader message(reading_.source, given.message, "attribute", -1);
    given.header = read_header(message);
    if (is_checked && given.header.type != own.type) {
      attribute.fail("attribute {} is {}, but {} of the call is {}", quoted(own.name), name_of(own.type), quoted(wanted),
                     name_of(given.header.type));
    }
  }
  given.header.name = own.name;
  return attribute.ok();
}

void GraphReader::read_subgraph(WireReader& attribute, const Scope& scope, Node& node, Subgraph& subgraph) {
  if (scope.depth == most_depth) return attribute.fail("more than {} graphs and functions in one another", most_depth);
  Graph& graph = model_.add_graph();
  graph.outer = &scope.graph;
  graph.depth = scope.graph.depth + 1;
  graph.owner = &node;
  graph.attribute = subgraph.attribute;
  subgraph.graph = &graph;
  NameIndex names;
  Scope inner{graph, scope.imports, names, &scope, scope.call, scope.depth + 1};
  for (attribute.rewind(); attribute.next();) {
    if (attribute.field() != attribute_graph) continue;
    WireReader message(attribute, "g");
    return read(message, inner);
  }
}

// ---- Functions ----

const ModelFunction* GraphReader::find_function(const NodeHeader& header) {
  const Value* name = nullptr;
  if (!reading_.functions.empty() && !reading_.options.keeps_calls) {
    name =
        std::as_const(reading_.function_names).find(function_key(model_.arena, header.domain, header.op_type, header.overload));
  }
  return name == nullptr ? nullptr : &reading_.functions[name->number];
}

// The first one of a name counts, so those of the call come first.
void GraphReader::add_attribute(WireReader& attribute, FunctionCall& call, bool is_default) {
  const std::string_view name = read_attribute_header(attribute).name;
  std::vector<CallAttribute>& list = call.attributes;
  if (list.size() == list.capacity()) {
    const Status memory = require_memory(2 * list.size() + 8, sizeof(CallAttribute));
    if (!memory) attribute.fail(memory.error());
  }
  if (!attribute.ok()) return;
  call.attribute_names.find_or_add(name, model_.arena);
  list.resize(call.attribute_names.size(), {attribute.whole(), is_default});
}

Status GraphReader::inline_function(WireReader& message, const NodeHeader& header, Scope& scope, const ModelFunction& function,
                                    Node& node) {
  if (function.is_open) return fail(Code::InvalidModel, "function {} calls itself", quoted(function.name));
  if (scope.depth == most_depth) {
    return fail(Code::InvalidModel, "more than {} graphs and functions in one another", most_depth);
  }
  const std::size_t bytes = reading_.source.length(function.message);
  if (bytes > reading_.inlined_bytes_left) {
    return fail(Code::InvalidModel, "calls of functions read too many bytes for a file of this size");
  }
  reading_.inlined_bytes_left -= bytes;
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs, 2 * (sizeof(Value) + sizeof(void*))));
  FunctionCall call{function, message, scope, node, {}, {}};
  WireReader body(reading_.source, function.message, "functions", function.number);
  each(message, node_proto::attribute, "attribute",
       [&](WireReader& attribute, std::int64_t) { add_attribute(attribute, call, false); });
  each(body, function_proto::default_attribute, "attribute_proto",
       [&](WireReader& attribute, std::int64_t) { add_attribute(attribute, call, true); });
  NameIndex names;
  Scope inner{scope.graph, function.imports, names, nullptr, &call, scope.depth + 1};
  BROADLOOM_CHECK(bind_inputs(body, call, inner));
  BROADLOOM_CHECK(bind_outputs(body, call, scope, inner));
  function.is_open = function.is_used = true;
  each(body, function_proto::node, "node", [&](WireReader& one, std::int64_t) { declare_node_outputs(one, inner); });
  unbind_repeated(body, inner);
  each(body, function_proto::node, "node", [&](WireReader& one, std::int64_t number) {
    if (reading_.inlined_left-- == 0) return one.fail("calls of functions make too many nodes for a file of this size");
    read_node(one, inner, number);
  });
  function.is_open = false;
  return body.ok() ? check_outputs(body, call, inner) : Status();
}

namespace {

// The names in a repeated field of strings, one after the other.
class NameList {
 public:
  NameList(WireReader& message, std::uint32_t field) : message_(message), field_(field) { message_.rewind(); }
  // False after the last one.
  bool next() {
    while (message_.next()) {
      if (message_.field() != field_) continue;
      name_ = message_.name();
      return message_.ok();
    }
    name_ = {};
    return false;
  }
  std::string_view name() const { return name_; }

 private:
  WireReader& message_;
  std::uint32_t field_;
  std::string_view name_;
};

}  // namespace

Status GraphReader::bind_inputs(WireReader& body, const FunctionCall& call, Scope& inner) {
  NameList given(call.message, node_proto::input);
  NameList parameters(body, function_proto::input);
  while (parameters.next()) {
    Value& parameter = inner.names.find_or_add(parameters.name(), model_.arena);
    if (parameter.alias != nullptr)
      return fail(Code::InvalidModel, "two inputs of its function are {}", quoted(parameter.name));
    parameter.alias = &left_out_;
    if (!given.next() || given.name().empty()) continue;
    Value* value = find(given.name(), call.caller);
    if (value == nullptr || !(value == &left_out_ || value->exists())) {
      return fail(Code::InvalidModel, "nothing produces its input {}", quoted(given.name()));
    }
    parameter.alias = value;
  }
  if (given.next()) return fail(Code::InvalidModel, "its function takes fewer inputs: {} is too many", quoted(given.name()));
  return {};
}

// What the function makes is made for the caller's values; one that the caller leaves out, or that is an input of the function,
// keeps a value of its own.
Status GraphReader::bind_outputs(WireReader& body, const FunctionCall& call, Scope& scope, Scope& inner) {
  NameList given(call.message, node_proto::output);
  NameList results(body, function_proto::output);
  while (results.next()) {
    const bool is_given = given.next() && !given.name().empty();
    Value& result = inner.names.find_or_add(results.name(), model_.arena);
    if (!is_given) continue;
    Value& value = value_of(given.name(), scope);
    if (result.alias == &value) return fail(Code::InvalidModel, "its output {} is its input", quoted(given.name()));
    if (result.alias != nullptr) continue;
    value.is_produced = false;
    result.alias = &value;
  }
  if (given.next()) return fail(Code::InvalidModel, "its function makes fewer outputs: {} is too many", quoted(given.name()));
  return {};
}

// An output that several Constants make is the last one: the caller's value stands for none of them, and an Identity makes it.
void GraphReader::unbind_repeated(WireReader& body, Scope& inner) {
  NameList results(body, function_proto::output);
  while (results.next()) {
    Value* result = inner.names.find(results.name());
    if (result == nullptr || result->alias == nullptr || !result->alias->is_repeated) continue;
    result->alias->is_produced = result->alias->is_of_constant = result->alias->is_repeated = false;
    result->alias = nullptr;
    Value& own = value_of(results.name(), inner);
    own.is_produced = own.is_of_constant = true;
  }
}

Status GraphReader::check_outputs(WireReader& body, const FunctionCall& call, Scope& inner) {
  NameList given(call.message, node_proto::output);
  NameList results(body, function_proto::output);
  while (results.next()) {
    if (!given.next() || given.name().empty()) continue;
    Value* made = find(results.name(), inner);
    Value* wanted = find(given.name(), call.caller);
    if (made != wanted && made != &left_out_) {
      add_identity(*made, *wanted, call, inner.graph);
    } else if (!wanted->is_produced) {
      return fail(Code::InvalidModel, "nothing produces the output {} of its function", quoted(results.name()));
    }
  }
  return {};
}

// For a function that gives an input as an output.
void GraphReader::add_identity(Value& from, Value& to, const FunctionCall& call, Graph& graph) {
  Node& node = graph.nodes.add(model_.arena);
  node.caller = &call.node;
  node.op_type = op::identity.name;
  node.op = &op::identity;
  node.version = &op::identity.versions.back();
  node.opset = newest_opset;
  node.is_changed = true;
  node.inputs = model_.arena.make_list<Value*>(1);
  node.outputs = model_.arena.make_list<Value*>(1);
  node.output_types = model_.arena.make_list<Dtype>(1);
  node.inputs[0] = &from;
  node.outputs[0] = &to;
  capture(call.caller, from, node);
  to.is_produced = true;
  to.producer = &node;
}

std::string_view function_key(Arena& arena, std::string_view domain, std::string_view name, std::string_view overload) {
  if (is_default_domain(domain)) domain = {};
  // No text has this byte.
  constexpr char between = '\xFF';
  const std::span<char> key = arena.make_list<char>(domain.size() + name.size() + overload.size() + 2);
  char* end = std::copy(domain.begin(), domain.end(), key.data());
  *end++ = between;
  end = std::copy(name.begin(), name.end(), end);
  *end++ = between;
  std::copy(overload.begin(), overload.end(), end);
  return {key.data(), key.size()};
}

namespace {

// Calls keep(name) for each name of a value that a graph of TrainingInfoProto reads.
template <class Keep>
void each_read(WireReader& graph, const Keep& keep, std::size_t depth) {
  for (graph.rewind(); graph.next();) {
    if (graph.field() != graph_proto::node) continue;
    WireReader node(graph, "node");
    while (node.next()) {
      if (node.field() == node_proto::input) keep(node.name());
      if (node.field() != node_proto::attribute || depth == most_depth) continue;
      WireReader attribute(node, "attribute");
      while (attribute.next()) {
        if (attribute.field() != attribute_graph) continue;
        WireReader inner(attribute, "g");
        each_read(inner, keep, depth + 1);
      }
    }
  }
}

}  // namespace

void read_training_info(WireReader& message, Model& model) {
  constexpr std::uint32_t initialization = 1, algorithm = 2, key = 1;
  const auto keep = [&](std::string_view name) {
    Value* value = model.names.find(name);
    if (value == nullptr || !message.ok()) return;
    if (value->alias != nullptr) value = value->alias;
    if (value->exists() && !value->is_named) keep_named(model, *model.graph, *value, nullptr);
  };
  while (message.next()) {
    if (message.field() == initialization || message.field() == algorithm) {
      WireReader graph(message, message.field() == algorithm ? "algorithm" : "initialization");
      each_read(graph, keep, 0);
    } else {
      WireReader binding(message, "binding");
      while (binding.next()) {
        if (binding.field() == key) keep(binding.name());
      }
    }
  }
}

void read_graph(WireReader& graph, Reading& reading) {
  Model& model = reading.model;
  model.graph = &model.add_graph();
  Scope scope{*model.graph, reading.imports, model.names};
  GraphReader(reading).read(graph, scope);
  const bool has_calls =
      std::any_of(reading.functions.begin(), reading.functions.end(), [](const ModelFunction& one) { return one.is_used; });
  if (!has_calls || !graph.ok()) return;
  const Status status = name_function_values(model);
  if (!status) graph.fail(status.error());
}

}  // namespace broadloom
