#include "onnx/namer.h"

#include "core/memory.h"

namespace broadloom {

Status Namer::run() {
  // Inputs and outputs of the model come first, so that they keep their names.
  const Graph& graph = *model_.graph;
  for (const GraphInput& input : graph.inputs) BROADLOOM_CHECK(name(*input.value));
  for (const GraphOutput& output : graph.outputs) BROADLOOM_CHECK(name(*output.value));
  // So do values of the model's graph that the file refers to.
  for (const NamedValue& named : graph.named) BROADLOOM_CHECK(name(*named.value));
  for (const Annotation& annotation : graph.annotations) {
    for (const NamedValue& named : annotation.named) BROADLOOM_CHECK(name(*named.value));
  }
  // New names must not be hidden by inputs and outputs of a graph of an unknown operator.
  for (const Graph& inner : model_.graphs()) {
    if (!inner.is_of_unknown()) continue;
    for (const GraphInput& input : inner.inputs) BROADLOOM_CHECK(values_.reserve(input.value->name));
    for (const GraphOutput& output : inner.outputs) BROADLOOM_CHECK(values_.reserve(output.value->name));
  }
  return name(*model_.graph);
}

Status Namer::name(Graph& graph) {
  for (GraphInput& input : graph.inputs) BROADLOOM_CHECK(name(*input.value));
  // New initializers come last, so that the others keep their names.
  BROADLOOM_CHECK(name_initializers(graph, false));
  for (Node* node : graph.order) {
    if (!node->name.empty()) BROADLOOM_CHECK(claim(nodes_, node->name, node));
    for (Value* output : node->outputs) {
      if (output != nullptr) BROADLOOM_CHECK(name(*output));
    }
    for (const Subgraph& subgraph : node->graphs) BROADLOOM_CHECK(name(*subgraph.graph));
  }
  return name_initializers(graph, true);
}

Status Namer::name_initializers(Graph& graph, bool are_new) {
  for (Initializer& initializer : graph.initializers) {
    if ((initializer.record == 0) == are_new) BROADLOOM_CHECK(name(*initializer.value));
  }
  return {};
}

// Inputs and outputs of a graph of an unknown operator keep their names, even if they hide others.
Status Namer::name(Value& value) {
  const bool keeps_name = value.graph->is_of_unknown() && (value.input != nullptr || value.is_output);
  return keeps_name ? Status() : claim(values_, value.name, &value);
}

Status Namer::claim(UniqueNames& names, std::string_view& name, const void* owner) {
  const std::string_view before = name;
  BROADLOOM_CHECK(names.claim(name, owner));
  if (name.data() == before.data()) return {};
  BROADLOOM_CHECK(require_memory(changed_.size() + 1, 2 * sizeof(Change)));
  changed_.push_back({&name, before});
  return {};
}

}  // namespace broadloom
