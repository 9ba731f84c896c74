// Inlines function calls: each call reads the function's nodes again, into the caller's graph.
#include "core/memory.h"
#include "onnx/fields.h"
#include "onnx/graph_reader.h"
#include "ops/named_operators.h"

namespace broadloom {

const ModelFunction* GraphReader::find_function(const NodeHeader& header) {
  if (context_.functions.empty()) return nullptr;
  const Name* name = context_.function_names.find(function_key(model_.arena, header.domain, header.op_type, header.overload));
  return name == nullptr ? nullptr : &context_.functions[name->number];
}

// The first attribute of a name wins. So the call's attributes are added before the function's defaults.
void GraphReader::add_attribute(WireReader& attribute, FunctionCall& call, bool is_default) {
  const AttributeHeader header = read_attribute_header(attribute);
  // A reference to an attribute that the call around this one lacks gives no attribute, so the function's default holds.
  const FunctionCall* around = is_default ? nullptr : call.caller.call;
  if (!header.reference.empty() && around != nullptr && around->attribute_names.find(header.reference) == nullptr) return;
  std::vector<CallAttribute>& list = call.attributes;
  if (list.size() == list.capacity()) {
    const Status memory = require_memory(2 * list.size() + 8, sizeof(CallAttribute));
    if (!memory) attribute.fail(memory.error());
  }
  if (!attribute.ok()) return;
  call.attribute_names.find_or_add(header.name, model_.arena);
  list.resize(call.attribute_names.size(), {attribute.whole(), is_default});
}

Status GraphReader::inline_function(WireReader& message, const NodeHeader& header, Scope& scope, const ModelFunction& function,
                                    Node& node) {
  if (function.is_open) return fail(Code::InvalidModel, "function {} calls itself", quoted(function.name));
  BROADLOOM_CHECK(check_depth(scope));
  const std::size_t bytes = context_.source.length(function.message);
  if (bytes > context_.inlined_bytes_left) {
    return fail(Code::InvalidModel, "calls of functions read too many bytes for a file of this size");
  }
  context_.inlined_bytes_left -= bytes;
  BROADLOOM_CHECK(require_memory(header.inputs + header.outputs, 2 * (sizeof(Value) + sizeof(void*))));
  FunctionCall call{function, message, scope, node, {}, {}};
  WireReader body(context_.source, function.message, "functions", function.number);
  each(message, node_proto::attribute, "attribute",
       [&](WireReader& attribute, std::int64_t) { add_attribute(attribute, call, false); });
  each(body, function_proto::default_attribute, "attribute_proto",
       [&](WireReader& attribute, std::int64_t) { add_attribute(attribute, call, true); });
  NameMap<Named> names;
  Scope inner{scope.graph, function.imports, names, nullptr, &call, scope.depth + 1};
  BROADLOOM_CHECK(bind_inputs(body, call, inner));
  BROADLOOM_CHECK(bind_outputs(body, call, scope, inner));
  function.is_open = function.is_used = true;
  each(body, function_proto::node, "node", [&](WireReader& one, std::int64_t) { declare_node_outputs(one, inner); });
  unbind_repeated(body, inner);
  each(body, function_proto::node, "node", [&](WireReader& one, std::int64_t number) {
    if (context_.inlined_left-- == 0) return one.fail("calls of functions make too many nodes for a file of this size");
    read_node(one, inner, number);
  });
  function.is_open = false;
  return body.ok() ? check_outputs(body, call, inner) : Status();
}

namespace {

// Iterates over the names in a repeated field of strings.
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
    auto& parameter = inner.names.find_or_add(parameters.name(), model_.arena);
    if (parameter.is_bound) return fail(Code::InvalidModel, "two inputs of its function are {}", quoted(parameter.text));
    parameter.is_bound = true;
    parameter.value = &left_out_;
    if (!given.next() || given.name().empty()) continue;
    Value* value = find(given.name(), call.caller);
    if (value == nullptr || !(value == &left_out_ || is_declared(*value))) {
      return fail(Code::InvalidModel, "nothing produces its input {}", quoted(given.name()));
    }
    parameter.value = value;
  }
  if (given.next()) return fail(Code::InvalidModel, "its function takes fewer inputs: {} is too many", quoted(given.name()));
  return {};
}

// Binds each output of the function to the caller's value. An output that the caller omits, or that is also an input of the
// function, keeps its own value.
Status GraphReader::bind_outputs(WireReader& body, const FunctionCall& call, Scope& scope, Scope& inner) {
  NameList given(call.message, node_proto::output);
  NameList results(body, function_proto::output);
  while (results.next()) {
    const bool is_given = given.next() && !given.name().empty();
    auto& result = inner.names.find_or_add(results.name(), model_.arena);
    if (!is_given) continue;
    Value& value = value_of(given.name(), scope);
    if (result.value == &value) return fail(Code::InvalidModel, "its output {} is its input", quoted(given.name()));
    if (result.is_bound) continue;
    reading(value).is_produced = false;
    result.is_bound = true;
    result.value = &value;
  }
  if (given.next()) return fail(Code::InvalidModel, "its function makes fewer outputs: {} is too many", quoted(given.name()));
  return {};
}

// Unbinds outputs that several Constants produce. The last Constant wins: such an output gets its own value, which an Identity
// copies to the caller's.
void GraphReader::unbind_repeated(WireReader& body, Scope& inner) {
  NameList results(body, function_proto::output);
  while (results.next()) {
    auto* result = inner.names.find(results.name());
    if (result == nullptr || !result->is_bound) continue;
    ReadValue& bound = reading(*result->value);
    if (!bound.is_repeated) continue;
    bound.is_produced = bound.is_of_constant = bound.is_repeated = false;
    result->is_bound = false;
    result->value = nullptr;
    ReadValue& own = reading(value_of(results.name(), inner));
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
    // An input that the call leaves out cannot be an output.
    if (made == &left_out_ || (made == wanted && !reading(*wanted).is_produced)) {
      return fail(Code::InvalidModel, "nothing produces the output {} of its function", quoted(results.name()));
    }
    if (made != wanted) add_identity(*made, *wanted, call, inner.graph);
  }
  return {};
}

// Adds an Identity to the graph, for an output that is not bound to the caller's value.
void GraphReader::add_identity(Value& from, Value& to, const FunctionCall& call, Graph& graph) {
  Node& node = graph.nodes.add(model_.arena);
  node.caller = &call.node;
  node.op_type = op::identity.name;
  node.op = &op::identity;
  node.version = &op::identity.versions.back();
  node.opset = newest_opset;
  node.is_changed = true;
  const std::span<Value*> inputs = model_.arena.make_list<Value*>(1);
  inputs[0] = &from;
  node.inputs = inputs;
  node.outputs = model_.arena.make_list<Value*>(1);
  node.output_types = model_.arena.make_list<Dtype>(1);
  node.outputs[0] = &to;
  capture(call.caller, from, node);
  reading(to).is_produced = true;
  to.producer = &node;
}

}  // namespace broadloom
