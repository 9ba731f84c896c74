#include "onnx/graph_writer.h"

#include <algorithm>
#include <utility>

#include "core/count.h"
#include "core/memory.h"
#include "graph/structure/control_flow.h"
#include "onnx/attribute_proto.h"
#include "onnx/fields.h"
#include "onnx/split_file.h"
#include "onnx/tensor_proto.h"

namespace broadloom {
namespace {

bool is_in(std::uint32_t field, Fields fields) { return std::find(fields.begin(), fields.end(), field) != fields.end(); }

}  // namespace

void GraphWriter::copy(std::string_view part) {
  const char* end = part.data() + part.size();
  const std::span<const ExternalSpan> spans = source_.spans_in(part);
  for (std::size_t i = spans.size(); i-- > 0;) {
    const char* place = source_.place_of(spans[i]);
    to_.bytes(place + 1, end - place - 1);
    to_.add_span(spans[i], spans_);
    end = place;
  }
  to_.bytes(part.data(), end - part.data());
}

bool GraphWriter::has_memory(std::size_t count, std::size_t bytes_each) {
  if (!to_.ok()) return false;  // there is one error at a time
  const Status memory = require_memory(count, bytes_each);
  if (!memory) to_.fail(memory.error());
  return to_.ok();
}

void GraphWriter::copy_others(WireReader message, Fields left_out) {
  std::vector<std::string_view> fields;
  for (message.rewind(); message.next();) {
    const bool is_copied = !is_in(message.field(), left_out);
    const std::string_view field = message.field_bytes();
    if (!is_copied) continue;
    if (fields.size() == fields.capacity() && !has_memory(fields.size() + 8, 2 * sizeof(std::string_view))) return;
    fields.push_back(field);
  }
  for (std::size_t i = fields.size(); i-- > 0;) copy(fields[i]);
}

void GraphWriter::write() {
  WireReader message(source_, "");
  std::int64_t ir_version = 0;
  for (message.rewind(); message.next();) {
    if (message.field() == model_proto::ir_version) ir_version = message.integer();
  }
  const std::int64_t end = to_.size();
  for (message.rewind(); message.next();) {
    if (message.field() != model_proto::graph) continue;
    write_graph(*model_.graph, {message, "graph"});
    break;
  }
  to_.message(model_proto::graph, end);
  for (const Import& import : model_.added_imports) {
    const std::int64_t import_end = to_.size();
    to_.number(opset_id_proto::version, import.version);
    to_.name(opset_id_proto::domain, {import.domain});
    to_.message(model_proto::opset_import, import_end);
  }
  copy_others(message, model_.has_calls ? Fields{model_proto::ir_version, model_proto::graph}
                                        : Fields{model_proto::ir_version, model_proto::graph, model_proto::functions});
  to_.number(model_proto::ir_version, std::max(ir_version, first_ir_version_with_defaults));
}

void GraphWriter::write_graph(const Graph& graph, WireReader message) {
  using namespace graph_proto;
  write_values(graph);
  const auto backwards = [this](const auto& chain, const auto& write) {
    std::vector<decltype(&*chain.begin())> all;
    if (!has_memory(chain.size(), sizeof(void*))) return;
    all.reserve(chain.size());
    for (auto& one : chain) all.push_back(&one);
    for (std::size_t i = all.size(); i-- > 0;) write(*all[i]);
  };
  // If a Loop or Scan makes no iteration, only these declarations give the dims of its outputs.
  const bool is_of_loop = graph.owner != nullptr && (graph.owner->op == &loop || graph.owner->op == &scan);
  backwards(graph.outputs, [&](const GraphOutput& one) {
    write_info(output, *one.value, &one.info, is_of_loop ? Declared::kept : Declared::improved);
  });
  backwards(graph.inputs, [&](const GraphInput& one) { write_info(input, *one.value, &one.info, Declared::improved); });
  // As a reader of the file has them, so that a second time changes nothing.
  for (const bool is_sparse : {true, false}) {
    backwards(graph.initializers, [&](const Initializer& one) {
      if (one.value->producer == nullptr && (one.sparse != nullptr) == is_sparse) write_initializer(one);
    });
  }
  backwards(graph.annotations, [&](const Annotation& one) { write_annotation(one); });
  copy_others(message, {node, initializer, input, output, value_info, quantization_annotation, sparse_initializer});
  for (std::size_t i = graph.order.size(); i-- > 0;) write_node(*graph.order[i]);
}

void GraphWriter::write_initializer(const Initializer& initializer) {
  const std::int64_t end = to_.size();
  const std::string_view name = initializer.value->name;
  if (initializer.record == 0) {
    write_tensor(initializer);
    to_.name(tensor_proto::name, {name});
    return to_.message(graph_proto::initializer, end);
  }
  const std::string_view record = message_of(initializer.record);
  if (initializer.sparse == nullptr) {
    copy_others(record, {tensor_proto::name});
    to_.name(tensor_proto::name, {name});
    return to_.message(graph_proto::initializer, end);
  }
  using sparse_tensor_proto::values;
  copy_others(record, {values});
  WireReader message = message_at(record);
  const std::int64_t values_end = to_.size();
  while (message.next()) {
    if (message.field() != values) continue;
    copy_others({source_, message.bytes(), "", -1}, {tensor_proto::name});
    break;
  }
  to_.name(tensor_proto::name, {name});
  to_.message(values, values_end);
  to_.message(graph_proto::sparse_initializer, end);
}

// Large elements become an external span: they are not copied.
void GraphWriter::write_tensor(const Initializer& initializer) {
  const Tensor& tensor = initializer.tensor;
  if (tensor.dtype == Dtype::string || dense_size(tensor) < SplitFile::default_min_span) {
    return write_tensor_proto(to_, tensor, {});
  }
  const std::int64_t end = to_.size();
  ExternalSpan span;
  span.length = dense_size(tensor);
  if (initializer.external != nullptr) {
    span.origin = initializer.external->offset;
  } else {
    span.bytes = Tensor(Dtype::uint8, dense_layout({static_cast<std::int64_t>(span.length)}), tensor.storage,
                        tensor.data() - tensor.storage->data());
  }
  to_.add_span(span, spans_);
  to_.message(tensor_proto::raw_data, end);
  to_.number(tensor_proto::data_type, static_cast<std::int64_t>(tensor.dtype));
  write_numbers(to_, tensor_proto::dims, tensor.run_dims());
}

// Values of graphs that were put into others may have new names.
void GraphWriter::write_annotation(const Annotation& annotation) {
  using namespace tensor_annotation;
  const std::int64_t end = to_.size();
  bool is_same = true;
  for (const NamedValue& named : annotation.named) is_same = is_same && named.name == named.value->name;
  if (is_same) {
    copy(message_of(annotation.record));
    return to_.message(graph_proto::quantization_annotation, end);
  }
  // The annotated value is the first of the list, and its parameters follow as here.
  auto named = annotation.named.begin();
  if (annotation.value != nullptr) ++named;
  std::vector<std::pair<std::string_view, std::string_view>> parameters;  // messages, and names now
  WireReader message = message_at(message_of(annotation.record));
  while (message.next()) {
    if (message.field() != quant_parameter_tensor_names) continue;
    if (parameters.size() == parameters.capacity() && !has_memory(parameters.size() + 8, 4 * sizeof(std::string_view))) return;
    WireReader entry(message, "quant_parameter_tensor_names", static_cast<std::int64_t>(parameters.size()));
    std::string_view name;
    while (entry.next()) {
      if (entry.field() != string_string_entry_proto::value) continue;
      name = entry.name();
      if (named == annotation.named.end() || (*named).name != name) continue;
      name = (*named).value->name;
      ++named;
    }
    parameters.emplace_back(entry.whole(), name);
  }
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const std::int64_t entry_end = to_.size();
    to_.name(string_string_entry_proto::value, {parameters[i].second});
    copy_others({source_, parameters[i].first, "", -1}, {string_string_entry_proto::value});
    to_.message(quant_parameter_tensor_names, entry_end);
  }
  copy_others(message, {tensor_name, quant_parameter_tensor_names});
  if (annotation.value != nullptr) to_.name(tensor_name, {annotation.value->name});
  to_.message(graph_proto::quantization_annotation, end);
}

void GraphWriter::write_node(const Node& node) {
  using namespace node_proto;
  const std::int64_t end = to_.size();
  if (node.is_changed) {
    for (const Attribute& one : node.attributes) broadloom::write_attribute(to_, attribute, one);
    if (node.record != 0)
      copy_others(model_.records.nodes[node.record].message, {input, output, name, attribute, op_type, domain, overload});
    if (!node.domain.empty()) to_.name(domain, {node.domain});
    to_.name(op_type, {node.op_type});
  } else {
    const NodeRecord& record = model_.records.nodes[node.record];
    for (std::size_t i = record.attributes.size(); i-- > 0;) write_attribute(node, record.attributes[i]);
    copy_others(record.message, {input, output, name, attribute});
  }
  if (!node.name.empty()) to_.name(name, {node.name});
  const auto write_names = [&](std::uint32_t field, std::span<Value* const> values) {
    for (std::size_t i = values.size(); i-- > 0;)
      to_.name(field, {values[i] == nullptr ? std::string_view() : values[i]->name});
  };
  write_names(output, node.outputs);
  write_names(input, node.inputs);
  to_.message(graph_proto::node, end);
}

void GraphWriter::write_attribute(const Node& node, const WrittenAttribute& attribute) {
  using namespace attribute_proto;
  const std::int64_t end = to_.size();
  WireReader message(source_, attribute.message, "", -1);
  const Graph* subgraph = node.graph(attribute.name);
  if (subgraph != nullptr) {
    copy_others(message, {name, graph, ref_attr_name});
    const std::int64_t graph_end = to_.size();
    write_graph(*subgraph, message_at(message_of(subgraph->record)));
    to_.message(graph, graph_end);
    to_.name(name, {attribute.name});
  } else {
    const AttributeHeader header = read_unchecked_header(message);
    if (header.name == attribute.name && header.reference.empty()) {
      copy(attribute.message);
    } else {
      copy_others(message, {name, ref_attr_name});
      to_.name(name, {attribute.name});
    }
  }
  to_.message(node_proto::attribute, end);
}

}  // namespace broadloom
