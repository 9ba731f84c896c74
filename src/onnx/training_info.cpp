#include "onnx/training_info.h"

#include "core/limits.h"
#include "onnx/fields.h"
#include "onnx/graph_reader.h"

namespace broadloom {

void keep_named(Model& model, Graph& graph, Value& value, const Annotation* annotation) {
  value.is_named = true;
  NamedValue& named = graph.named.add(model.arena);
  named.value = &value;
  named.annotation = annotation;
}

namespace {

// Calls keep(name) for each input name of the graph's nodes, including those in subgraphs.
template <class Keep>
void each_read(WireReader& graph, const Keep& keep, std::size_t depth) {
  for (graph.rewind(); graph.next();) {
    if (graph.field() != graph_proto::node) continue;
    WireReader node(graph, "node");
    while (node.next()) {
      if (node.field() == node_proto::input) keep(node.name());
      if (node.field() != node_proto::attribute || static_cast<double>(depth) >= limits.nesting) continue;
      WireReader attribute(node, "attribute");
      while (attribute.next()) {
        if (attribute.field() != attribute_proto::graph) continue;
        WireReader inner(attribute, "g");
        each_read(inner, keep, depth + 1);
      }
    }
  }
}

}  // namespace

void read_training_info(WireReader& message, Model& model) {
  using namespace training_info_proto;
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
        if (binding.field() == string_string_entry_proto::key) keep(binding.name());
      }
    }
  }
}

}  // namespace broadloom
