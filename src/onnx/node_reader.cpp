// Reads the nodes of a graph with their attributes.
#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/structure/control_flow.h"
#include "onnx/fields.h"
#include "onnx/graph_reader.h"
#include "ops/named_operators.h"
#include "ops/operators.h"

namespace broadloom {

NodeHeader read_node_header(WireReader& message) {
  NodeHeader header;
  for (message.rewind(); message.next();) {
    switch (message.field()) {
      case node_proto::op_type: header.op_type = message.name(); break;
      case node_proto::domain: header.domain = message.name(); break;
      case node_proto::overload: header.overload = message.name(); break;
      case node_proto::doc_string: header.doc = message.bytes(); break;
      case node_proto::name: header.name = message.name(); break;
      case node_proto::input: ++header.inputs; break;
      case node_proto::output: ++header.outputs; break;
      case node_proto::attribute: ++header.attributes; break;
      default: break;
    }
  }
  return header;
}

namespace {

// The tensor of an attribute, sparse or not; empty if there is none or if it comes in parts.
std::string_view tensor_of(WireReader& attribute) {
  std::string_view tensor;
  int count = 0;
  for (attribute.rewind(); attribute.next();) {
    if (attribute.field() != attribute_proto::tensor && attribute.field() != attribute_proto::sparse_tensor) continue;
    tensor = attribute.bytes();
    ++count;
  }
  return count == 1 ? tensor : std::string_view();
}

bool holds(WireReader& attribute, std::uint32_t field) {
  bool found = false;
  for (attribute.rewind(); attribute.next();) found = found || attribute.field() == field;
  return found;
}

// Whether an AttributeProto has its field `g`.
bool holds_graph(WireReader& attribute) { return holds(attribute, attribute_proto::graph); }

// The names of a node's attributes so far. Most nodes have few, but a file may have a node with very many.
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
  NameIndex index_;  // of all names, once there are more than most_listed
};

}  // namespace

// ---- Nodes ----

Status GraphReader::count_node() {
  if (++context_.nodes <= limits.nodes) return Watch::check(Watch::of_node);
  return exceeds("nodes", "the model has more than {} nodes", limits.nodes);
}

Status GraphReader::check_depth(const Scope& scope) {
  if (!is_too_deep(scope.depth)) return {};
  return exceeds("nesting", "more than {} graphs and functions in one another", limits.nesting);
}

bool GraphReader::keeps_calls_of(const ModelFunction& function) const {
  const auto number = in_memory(function.number);
  const std::span<const char> kept = context_.options.kept_functions;
  return context_.options.keeps_calls || (number < kept.size() && kept[number] != 0);
}

void GraphReader::read_node(WireReader& message, Scope& scope, std::int64_t number) {
  if (const Status status = count_node(); !status) return message.fail(status.error());
  const NodeHeader header = read_node_header(message);
  if (header.op_type.empty()) message.fail("a node without op_type");
  if (!message.ok()) return;
  context_.domains.find_or_add(is_default_domain(header.domain) ? "" : header.domain, model_.arena).is_used = true;
  const ModelFunction* called = find_function(header);
  const ModelFunction* function = called != nullptr && !keeps_calls_of(*called) ? called : nullptr;
  // A call stands for the nodes of its function: it is in the graph's calls, not in its nodes.
  Node& node = function != nullptr ? scope.graph.calls.add(model_.arena) : scope.graph.nodes.add(model_.arena);
  node.number = number;
  node.caller = scope.call == nullptr ? nullptr : &scope.call->node;
  node.name = model_.arena.copy(header.name);
  node.op_type = model_.arena.copy(header.op_type);
  node.domain = model_.arena.copy(header.domain);
  node.opset = scope.imports.opset;
  node.record = model_.records.nodes.add(model_.arena);
  NodeRecord& record = record_of(node);
  record.doc = model_.arena.copy(header.doc);
  record.bytes = message.whole().size();
  if (context_.options.keeps_messages) record.message = message.whole();
  if (function != nullptr) record.function = function->number;
  record.is_kept_call = called != nullptr && function == nullptr;
  model_.has_calls = model_.has_calls || record.is_kept_call;
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
  // A function of the model has precedence over an operator of that name.
  if (record_of(node).is_kept_call)
    return fail(Code::UnknownOperator, "the call of function {} is kept", quoted(header.op_type));
  if (!header.overload.empty()) {
    return fail(Code::UnknownOperator, "no function {} with overload {}", quoted(header.op_type), quoted(header.overload));
  }
  const Operator* op = find_graph_operator(header.domain, header.op_type);
  if (op == nullptr || !op->runs()) {
    if (op != nullptr) {
      node.op = op;
      node.version = &newest_version(*op, scope.imports.opset);
    }
    return Failure(no_operator(header.domain, header.op_type));
  }
  if (!op->domain.empty()) {
    node.op = op;
    node.version = &op->versions.front();
    return {};
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
  BROADLOOM_CHECK(unless_allowed(select_operator(header, scope, node), context_.options.unsupported, model_, node));
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs + header.attributes, sizeof(void*) * 8));
  node.outputs = model_.arena.make_list<Value*>(header.outputs);
  node.output_types = model_.arena.make_list<Dtype>(header.outputs);
  BROADLOOM_CHECK(resolve_inputs(message, model_.arena.make_list<Value*>(header.inputs), scope, node));
  BROADLOOM_CHECK(resolve_outputs(message, scope, node));
  read_attributes(message, scope, node);
  return {};
}

Status GraphReader::resolve_inputs(WireReader& message, std::span<Value*> inputs, Scope& scope, Node& node) {
  node.inputs = inputs;
  std::size_t i = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != node_proto::input) continue;
    const std::size_t position = i++;
    const std::string_view name = message.name();
    if (name.empty() || !message.ok()) continue;
    Value* value = find(name, scope);
    if (value == &left_out_) continue;
    if (value == nullptr || !is_declared(*value)) {
      return fail(Code::InvalidModel, "nothing produces its input {}", quoted(name));
    }
    inputs[position] = value;
    capture(scope, *value, node);
  }
  return {};
}

// Records that a node in a subgraph reads a value of an enclosing graph. The capture belongs to the node of that graph which
// contains the subgraph.
void GraphReader::capture(const Scope& scope, Value& value, Node& node) {
  if (value.graph == &scope.graph) return;
  Node* reader = &node;
  for (const Graph* graph = &scope.graph; graph != value.graph; graph = graph->outer) reader = graph->owner;
  if (reading(value).captured_by == reader) return;
  reading(value).captured_by = reader;
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
    // Another Constant of this name: from here on, nodes read this one.
    ReadValue& again = new_value(value->name, scope.graph);
    again.is_of_function = scope.call != nullptr;
    again.is_produced = true;
    again.is_of_constant = true;
    again.declared = value->declared;
    auto& named = *scope.names.find(name);
    named.is_bound = true;
    named.value = &again;
    value = &again;
  }
  value->producer = &node;
  return *value;
}

// ---- Attributes ----

void GraphReader::read_attributes(WireReader& message, Scope& scope, Node& node) {
  AttributeNames names;  // of attributes that the operator's version does not declare
  std::size_t graphs = 0;
  // An operator without a schema has attributes that its shape rule may need, and that descriptions tell of.
  const auto is_graph = [&](const AttributeHeader& header) {
    return header.type == AttributeType::GRAPH && (!node.has_schema() || find_spec(*node.version, header.name) != nullptr);
  };
  each(message, node_proto::attribute, "attribute", [&](WireReader& attribute, std::int64_t) {
    if (holds_graph(attribute) && is_graph(read_attribute_header(attribute))) ++graphs;
  });
  node.graphs = model_.arena.make_list<Subgraph>(graphs);
  graphs = 0;
  const bool keeps = context_.options.keeps_messages;
  std::size_t written = 0;
  for (message.rewind(); keeps && message.next();) written += message.field() == node_proto::attribute ? 1 : 0;
  const std::span<WrittenAttribute> list = model_.arena.make_list<WrittenAttribute>(written);
  written = 0;
  const auto add_to_list = [&](const GivenAttribute& given) {
    if (keeps) list[written++] = {model_.arena.copy(given.header.name), given.message};
  };
  each(message, node_proto::attribute, "attribute", [&](WireReader& attribute, std::int64_t number) {
    if (keeps && holds(attribute, attribute_proto::graphs))
      return attribute.fail("an attribute of several graphs: cannot be simplified");
    GivenAttribute given;
    if (!node.has_schema() && !holds_graph(attribute)) {
      if (!find_attribute(attribute, scope, false, given)) return;
      add_to_list(given);
      if (node.op == nullptr && keeps) return;
      // The first attribute of a name wins.
      if (!names.add(given.header.name)) return;
      WireReader value(context_.source, given.message, "attribute", number);
      return read_unchecked_attribute(value, given.header, model_.arena, node.attributes, !keeps);
    }
    if (!find_attribute(attribute, scope, true, given)) return;
    add_to_list(given);
    const bool has_graph = is_graph(given.header);
    if (has_graph && given.scope != &scope) return attribute.fail("a graph that a function gets as an attribute");
    if (node.has_schema()) {
      const Selection selection{*node.op, *node.version, node.opset};
      if (find_spec(*node.version, given.header.name) == nullptr && !names.add(given.header.name))
        return attribute.fail("attribute {} is given twice", quoted(given.header.name));
      WireReader value(context_.source, given.message, "attribute", number);
      const bool is_constant = keeps && node.op == &op::constant;
      External external;
      read_attribute_value(given.scope == &scope ? attribute : value, given.header, selection, node.attributes,
                           is_constant ? &external : nullptr);
      const std::string_view tensor = is_constant ? tensor_of(value) : std::string_view();
      if (!tensor.empty()) record_of(node).value = keep(tensor);
      if (external.is_used && value.ok()) record_of(node).external = keep_external(external);
    }
    if (has_graph && attribute.ok()) {
      node.graphs[graphs].attribute = model_.arena.copy(given.header.name);
      read_subgraph(attribute, scope, node, node.graphs[graphs++]);
    }
  });
  // An attribute that refers to a missing attribute of the call does not exist: `written` counts only the others.
  if (keeps && message.ok()) keep_attributes(message, list.first(written), node);
}

// Attributes that were not read, or that cannot be compared, are compared by their bytes and by the offsets of external spans
// in them.
void GraphReader::keep_attributes(WireReader& message, std::span<WrittenAttribute> attributes, Node& node) {
  NodeRecord& record = record_of(node);
  record.attributes = attributes;
  if (node.op == nullptr || node.op == &op::constant || !node.graphs.empty() || !is_default_domain(node.domain)) return;
  std::size_t known = 0;
  for ([[maybe_unused]] const Attribute& one : node.attributes) ++known;
  if (known == attributes.size() && node.has_comparable_attributes()) return;
  std::vector<char> text;
  const auto add = [&](const void* bytes, std::size_t size) {
    text.insert(text.end(), static_cast<const char*>(bytes), static_cast<const char*>(bytes) + size);
  };
  for (const WrittenAttribute& one : attributes) {
    const std::span<const ExternalSpan> spans = context_.source.spans_in(one.message);
    const Status memory = require_memory(text.size() + one.name.size() + one.message.size() + 8 * spans.size(), 4);
    if (!memory) return message.fail(memory.error());
    const std::size_t sizes[] = {one.name.size(), one.message.size(), spans.size()};
    add(sizes, sizeof sizes);
    add(one.name.data(), one.name.size());
    add(one.message.data(), one.message.size());
    for (const ExternalSpan& span : spans) add(&span.offset, sizeof span.offset);
  }
  const std::string_view key = context_.texts.copy({text.data(), text.size()});
  record.same_attributes = context_.attributes.find_or_add(key, context_.texts).number + 1;
}

// Resolves references to attributes of calls. Returns false if the call lacks the attribute. A reference outside a function
// fails if `is_checked`; otherwise the attribute counts as missing.
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
    const Name* name = call.attribute_names.find(given.header.reference);
    const std::string_view wanted = given.header.reference;
    if (name == nullptr) return false;
    given.message = call.attributes[name->number].message;
    given.scope = call.attributes[name->number].is_default ? nullptr : &call.caller;
    WireReader message(context_.source, given.message, "attribute", -1);
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
  if (const Status depth = check_depth(scope); !depth) return attribute.fail(depth.error());
  Graph& graph = model_.add_graph();
  graph.outer = &scope.graph;
  graph.depth = scope.graph.depth + 1;
  graph.owner = &node;
  graph.attribute = subgraph.attribute;
  subgraph.graph = &graph;
  NameMap<Named> names;
  Scope inner{graph, scope.imports, names, &scope, scope.call, scope.depth + 1};
  for (attribute.rewind(); attribute.next();) {
    if (attribute.field() != attribute_proto::graph) continue;
    WireReader message(attribute, "g");
    return read(message, inner);
  }
}

}  // namespace broadloom
