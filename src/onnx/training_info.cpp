#include "onnx/training_info.h"

#include "onnx/fields.h"
#include "onnx/graph_reader.h"

namespace broadloom {

void keep_named(Model& model, Chain<NamedValue>& list, Value& value, std::string_view name) {
  value.is_named = true;
  NamedValue& named = list.add(model.arena);
  named.value = &value;
  named.name = name;
}

namespace {

// Marks the value of the model's graph that has the name, if there is one.
void keep_value(Model& model, std::string_view name) {
  Value* value = model.find(name);
  if (value != nullptr && value->exists() && !value->is_named) keep_named(model, model.graph->named, *value, name);
}

// Reads the message in the first of the fields with this number; its reader also reads the parts in the other fields. To read
// each field so would take time that is quadratic in their count.
template <class Read>
void read_singular(WireReader& message, std::uint32_t field, const char* name, const Read& read) {
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    WireReader one(message, name);
    return read(one);
  }
}

// Calls keep(name) for each input name of the graph's nodes, including those in subgraphs.
template <class Keep>
void each_read(WireReader& graph, const Keep& keep, std::size_t depth) {
  std::int64_t nodes = 0;
  for (graph.rewind(); graph.next();) {
    if (graph.field() != graph_proto::node) continue;
    WireReader node(graph, "node", nodes++);
    std::int64_t attributes = 0;
    while (node.next()) {
      if (node.field() == node_proto::input) keep(node.name());
      if (node.field() != node_proto::attribute || is_too_deep(depth)) continue;
      WireReader attribute(node, "attribute", attributes++);
      read_singular(attribute, attribute_proto::graph, "g", [&](WireReader& inner) { each_read(inner, keep, depth + 1); });
    }
  }
}

}  // namespace

void read_training_info(WireReader& message, Model& model) {
  using namespace training_info_proto;
  const auto keep = [&](std::string_view name) {
    if (message.ok()) keep_value(model, name);
  };
  read_singular(message, initialization, "initialization", [&](WireReader& graph) { each_read(graph, keep, 0); });
  read_singular(message, algorithm, "algorithm", [&](WireReader& graph) { each_read(graph, keep, 0); });
  std::int64_t bindings = 0;
  for (message.rewind(); message.next();) {
    if (message.field() == initialization || message.field() == algorithm) continue;
    WireReader binding(message, "binding", bindings++);
    while (binding.next()) {
      if (binding.field() == string_string_entry_proto::key) keep(binding.name());
    }
  }
}

void read_named_properties(WireReader& message, std::uint32_t field, Model& model) {
  std::int64_t properties = 0;
  for (message.rewind(); message.next();) {
    if (message.field() != field) continue;
    WireReader property(message, "metadata_props", properties++);
    while (property.next()) {
      if (property.field() == string_string_entry_proto::value) keep_value(model, property.bytes());
    }
  }
}

}  // namespace broadloom
