// Reads the declarations of a graph: inputs, initializers, types and shapes of values, outputs.
#include "onnx/graph_reader.h"

#include <algorithm>

#include "graph/structure/order.h"
#include "graph/structure/unique_names.h"
#include "onnx/fields.h"
#include "onnx/training_info.h"
#include "onnx/value_info_proto.h"
#include "ops/named_operators.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

// Whether the name is an exporter's placeholder for an unknown size. Two sizes of that name may differ.
bool tells_nothing(std::string_view name) {
  constexpr std::string_view numbered = "unk__";
  if (name.starts_with(numbered)) {
    name.remove_prefix(numbered.size());
    return std::all_of(name.begin(), name.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  }
  return name == "None" || name == "?" || name == "-1" || name == "*" || name == "unknown" || name == "unk";
}

}  // namespace

void GraphReader::each(WireReader& parent, std::uint32_t field, const char* name, ReadOne* read, const void* what) {
  std::int64_t number = 0;
  for (parent.rewind(); parent.next();) {
    if (parent.field() != field) continue;
    WireReader message(parent, name, number);
    read(what, message, number++);
  }
}

std::uint32_t GraphReader::keep(std::string_view message) {
  if (!context_.options.keeps_messages) return 0;
  const std::uint32_t number = model_.records.others.add(model_.arena);
  model_.records.others.at(number).message = message;
  return number;
}

// ---- Values ----

ReadValue& GraphReader::new_value(std::string_view name, Graph& graph) {
  ReadValue& value = *model_.arena.make_list<ReadValue>(1).data();
  value.name = name;
  value.place = model_.frame_size++;
  value.graph = &graph;
  return value;
}

Value& GraphReader::value_of(std::string_view name, Scope& scope) {
  auto& named = scope.names.find_or_add(name, model_.arena);
  if (named.value == nullptr) {
    named.value = &new_value(named.text, scope.graph);
    named.value->is_of_function = scope.call != nullptr;
  }
  return *named.value;
}

Value* GraphReader::find(std::string_view name, const Scope& scope) {
  for (const Scope* one = &scope; one != nullptr; one = one->outer) {
    if (const Named* named = one->names.find(name)) return named->value;
  }
  return nullptr;
}

// ---- Declarations ----

void GraphReader::read(WireReader& message, Scope& scope) {
  using namespace graph_proto;
  scope.graph.record = keep(message);
  each(message, input, "input", [&](WireReader& one, std::int64_t) { read_input(one, scope); });
  each(message, initializer, "initializer", [&](WireReader& one, std::int64_t) { read_initializer(one, scope); });
  each(message, sparse_initializer, "sparse_initializer",
       [&](WireReader& one, std::int64_t) { read_sparse_initializer(one, scope); });
  each(message, node, "node", [&](WireReader& one, std::int64_t) { declare_node_outputs(one, scope); });
  each(message, value_info, "value_info", [&](WireReader& one, std::int64_t) { read_value_info(one, scope); });
  each(message, node, "node", [&](WireReader& one, std::int64_t number) { read_node(one, scope, number); });
  each(message, output, "output", [&](WireReader& one, std::int64_t) { read_output(one, scope); });
  if (context_.options.keeps_messages) {
    each(message, quantization_annotation, "quantization_annotation",
         [&](WireReader& one, std::int64_t) { read_annotation(one, scope); });
  }
  if (!message.ok()) return;
  const Status status = set_order(model_, scope.graph);
  if (!status) message.fail(status.error());
}

void GraphReader::read_info(WireReader& message, ValueInfo& info) {
  read_value_info_proto(message, info, model_.arena, context_.options.unsupported == Unsupported::refused);
  info.name = model_.arena.copy(info.name);
  info.record = keep(message);
  if (info.record != 0) model_.records.others.at(info.record).has_dtype = info.dtype != Dtype::undefined;
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
  if (is_of_model && context_.options.opens_empty_shapes && input.info.dims.size() == 0) input.info.has_shape = false;
  if (is_of_model) warn_of_sizes(input.info);
  if (is_of_model && input.info.dtype == Dtype::undefined && context_.options.unsupported == Unsupported::refused) {
    message.fail("{} has no element type", quoted(name));
  }
  if (!message.ok()) return;
  if (scope.outer != nullptr && find(name, *scope.outer) != nullptr) {
    model_.warn("an input of {} hides {} of a graph around it", scope.graph.attribute, quoted(name));
  }
  Value& value = value_of(name, scope);
  if (value.input != nullptr) message.fail("the name {} is used twice", quoted(name));
  input.value = &value;
  value.input = &input;
  value.dtype = input.info.dtype;
}

void GraphReader::read_initializer(WireReader& message, Scope& scope) {
  std::string_view name;
  External external;
  const bool can_lack = context_.options.unsupported == Unsupported::allowed || context_.options.gets_external;
  external.is_read = context_.options.gets_external || !can_lack;
  std::string_view field;
  Tensor tensor = read_tensor_proto(message, &name, &external, &field);
  if (external.is_used && !can_lack) {
    message.fail("external data in file {} was not given: loadModel takes the option external", quoted(external.data.location));
  }
  if (!message.ok()) return;
  Initializer& initializer = scope.graph.initializers.add(model_.arena);
  if (external.is_used) {
    initializer.external = keep_external(external);
    initializer.is_promised = context_.options.gets_external || context_.options.keeps_messages;
  }
  initializer.tensor = std::move(tensor);
  if (!external.is_used) initializer.field = field;
  initializer.record = keep(message);
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
  initializer.record = keep(message);
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
  } else if (input != nullptr || value.initializer != nullptr) {
    message.fail("the name {} is used twice", quoted(name));
  } else {
    value.initializer = &initializer;
  }
  value.dtype = dtype;
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
  ReadValue& value = reading(value_of(name, scope));
  const bool is_input = value.input != nullptr || value.initializer != nullptr || &value == &left_out_;
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
  const Named* named = scope.names.find(info.name);
  if (named == nullptr || named->is_bound) return;
  named->value->declared = &info;
  const Status status = check_declared(info, named->value->dtype);
  if (!status) message.fail(status.error());
}

// Callers get the outputs of a model by name: one that is listed twice is one.
bool GraphReader::is_listed(WireReader& message, const Scope& scope) {
  std::string_view name;
  for (message.rewind(); message.next();) {
    if (message.field() == value_info_proto::name) name = message.name();
  }
  message.rewind();
  const Value* value = scope.graph.owner != nullptr || name.empty() ? nullptr : find(name, scope);
  if (value == nullptr || !value->is_output) return false;
  ValueInfo again;
  read_info(message, again);
  model_.warn("the output {} is listed twice: it is one", quoted(name));
  const Status status = check_declared(again, value->declared->dtype);
  if (!status) message.fail(status.error());
  return true;
}

void GraphReader::read_output(WireReader& message, Scope& scope) {
  if (is_listed(message, scope)) return;
  GraphOutput& output = scope.graph.outputs.add(model_.arena);
  read_info(message, output.info);
  const std::string_view name = output.info.name;
  Value* value = name.empty() ? nullptr : find(name, scope);
  if (value == nullptr || !is_declared(*value)) {
    return message.fail("nothing produces the output {}", quoted(name));
  }
  output.value = value;
  if (value->graph != &scope.graph) {
    capture(scope, *value, *scope.graph.owner);
    if (scope.graph.is_of_unknown()) value->is_named = true;
    return;
  }
  value->is_output = true;
  if (value->declared == nullptr) value->declared = &output.info;
}

// A TensorAnnotation: the name of a tensor, and entries with a key and the name of a tensor each.
void GraphReader::read_annotation(WireReader& message, Scope& scope) {
  using namespace tensor_annotation;
  Annotation& annotation = scope.graph.annotations.add(model_.arena);
  annotation.record = keep(message);
  std::string_view annotated;
  for (message.rewind(); message.next();) {
    if (message.field() == tensor_name) annotated = message.name();
  }
  Value* value = find(annotated, scope);
  if (value != nullptr && is_declared(*value)) {
    annotation.value = value;
    keep_named(model_, annotation.named, *value, annotated);
  }
  each(message, quant_parameter_tensor_names, "quant_parameter_tensor_names", [&](WireReader& one, std::int64_t) {
    while (one.next()) {
      if (one.field() != string_string_entry_proto::value) continue;
      const std::string_view name = one.name();
      Value* parameter = find(name, scope);
      if (parameter != nullptr && is_declared(*parameter)) keep_named(model_, annotation.named, *parameter, name);
    }
  });
}

void read_graph(WireReader& graph, ReaderContext& context) {
  Model& model = context.model;
  model.graph = &model.add_graph();
  Scope scope{*model.graph, context.imports, model.names};
  GraphReader(context).read(graph, scope);
  const bool has_calls =
      std::any_of(context.functions.begin(), context.functions.end(), [](const ModelFunction& one) { return one.is_used; });
  if (!has_calls || !graph.ok()) return;
  const Status status = name_function_values(model);
  if (!status) graph.fail(status.error());
}

}  // namespace broadloom
