#include "graph/structure/graph.h"

#include "core/text.h"

namespace broadloom {

const Graph* Node::graph(std::string_view attribute) const {
  for (const Subgraph& subgraph : graphs) {
    if (subgraph.attribute == attribute) return subgraph.graph;
  }
  return nullptr;
}

bool Node::has_comparable_attributes() const {
  for (const Attribute& one : attributes) {
    const Tensor& tensor = one.value.tensor;
    if (one.spec->type == AttributeType::SPARSE_TENSOR || tensor.dtype == Dtype::string) return false;
    if (tensor.has_elements() && !is_dense(tensor)) return false;
  }
  return true;
}

const Subgraph* unsupported_graph(const Node& node) {
  for (const Subgraph& subgraph : node.graphs) {
    if (!subgraph.graph->can_run) return &subgraph;
  }
  return nullptr;
}

void append_label(Text& text, const Node& node) {
  text.append(node.name.empty() ? "#{}" : "{}", node.name.empty() ? Part(node.number) : Part(clipped(node.name)));
}

namespace {

void append_node(Text& text, const Node& node) {
  if (node.caller != nullptr) {
    append_node(text, *node.caller);
    text.append(".{}", clipped(node.caller->op_type));
  }
  text.append(".node[{}]", node.number);
}

}  // namespace

void append_place(Text& text, const Graph& graph, const Node& node) {
  if (graph.outer == nullptr) {
    text.append("graph");
  } else {
    append_place(text, *graph.outer, *graph.owner);
    text.append(".{}", graph.attribute);
  }
  append_node(text, node);
}

void append_dims(Text& text, const ValueInfo& info) {
  text.append("[");
  const char* separator = "";
  for (const Dimension& dim : info.dims) {
    text.append("{}", separator);
    separator = ", ";
    text.append("{}", dim.value >= 0 ? Part(dim.value) : dim.name.empty() ? Part("?") : Part(clipped(dim.name)));
  }
  text.append("]");
}

}  // namespace broadloom
