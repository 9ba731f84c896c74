#include "graph/structure/relink.h"

#include <algorithm>
#include <vector>

#include "core/memory.h"
#include "graph/structure/order.h"

namespace broadloom {
namespace {

constexpr std::size_t is_dropped = SIZE_MAX;

class Linker {
 public:
  explicit Linker(Model& model) : model_(model) {}

  Status run() {
    std::size_t records = 0;
    for (Graph& graph : model_.graphs()) {
      records += graph.nodes.size() + graph.initializers.size() + graph.inputs.size() + graph.outputs.size() + 1;
      for (Node& node : graph.nodes) node.position = is_dropped;
    }
    BROADLOOM_CHECK(require_memory(records, 4 * sizeof(void*)));
    collect(*model_.graph);
    for (Graph& graph : model_.graphs()) drop(graph);
    for (const Graph* graph : graphs_) mark_named(*graph);
    for (Graph* graph : graphs_) graph->nodes.assign(graph->order);
    model_.keep_graphs(graphs_);
    model_.frame_size = 0;
    for (Graph* graph : graphs_) define(*graph);
    BROADLOOM_CHECK(require_memory(model_.frame_size, sizeof(void*)));
    captured_by_.resize(model_.frame_size);
    for (Graph* graph : graphs_) BROADLOOM_CHECK(read(*graph));
    for (Graph* graph : graphs_) BROADLOOM_CHECK(set_order(model_, *graph));
    return {};
  }

 private:
  // Lists the remaining graphs, each before its subgraphs.
  void collect(Graph& graph) {
    graphs_.push_back(&graph);
    for (Node* node : graph.order) {
      node->position = 0;
      node->captures.clear();
      for (const Subgraph& subgraph : node->graphs) {
        subgraph.graph->outer = &graph;
        subgraph.graph->owner = node;
        subgraph.graph->depth = graph.depth + 1;
        collect(*subgraph.graph);
      }
    }
  }

  static bool is_kept(const Value& value) {
    if (value.input != nullptr) return !value.input->is_dropped;
    return value.producer == nullptr ? value.initializer != nullptr : value.producer->position != is_dropped;
  }

  // An annotation is removed with its value.
  static bool is_alive(const Annotation& annotation) { return annotation.value == nullptr || is_kept(*annotation.value); }

  // The arena frees records without calling destructors.
  void drop(Graph& graph) {
    for (Node& node : graph.nodes) {
      if (node.position == is_dropped) node.attributes.clear();
    }
    std::vector<Initializer*> initializers;
    for (Initializer& one : graph.initializers) {
      if (is_kept(*one.value)) {
        initializers.push_back(&one);
      } else {
        one.tensor = Tensor();
        one.sparse.reset();
      }
    }
    graph.initializers.assign(initializers);
    // The remaining nodes may belong to another graph now.
    graph.nodes.clear();
    graph.calls.destroy();
    graph.calls.clear();
    for (const Annotation& annotation : graph.annotations) {
      for (const NamedValue& named : annotation.named) named.value->is_named = false;
    }
    keep(graph.annotations, is_alive);
    keep(graph.inputs, [](const GraphInput& input) { return !input.is_dropped; });
    keep(graph.outputs, [](const GraphOutput& output) { return !output.is_dropped; });
  }

  // A value may be named by several annotations, also of graphs within.
  static void mark_named(const Graph& graph) {
    for (const NamedValue& named : graph.named) named.value->is_named = true;
    for (const Annotation& annotation : graph.annotations) {
      for (const NamedValue& named : annotation.named) named.value->is_named = true;
    }
  }

  template <class T, class Test>
  static void keep(Chain<T>& chain, const Test& test) {
    std::vector<T*> kept;
    for (T& record : chain) {
      if (test(record)) kept.push_back(&record);
    }
    if (kept.size() != chain.size()) chain.assign(kept);
  }

  void define(Value& value, Graph& graph, Node* producer) {
    value.place = model_.frame_size++;
    value.graph = &graph;
    value.producer = producer;
    value.is_output = value.is_held = false;
    value.uses = value.captures = 0;
    value.last_use = nullptr;
  }

  void define(Graph& graph) {
    graph.is_checked = false;
    graph.can_run = true;
    graph.fused = {};
    std::size_t number = 0;
    for (GraphInput& input : graph.inputs) {
      input.number = number++;
      define(*input.value, graph, nullptr);
    }
    for (Initializer& one : graph.initializers) {
      if (one.value->producer != nullptr) continue;
      one.is_of_node = false;
      if (one.value->input == nullptr) define(*one.value, graph, nullptr);
    }
    for (Node& node : graph.nodes) {
      node.caller = nullptr;
      for (Value* output : node.outputs) {
        if (output != nullptr) define(*output, graph, &node);
      }
    }
  }

  Status capture(const Graph& graph, Value& value, Node& node) {
    if (value.graph == &graph) return {};
    Node* reader = &node;
    for (const Graph* one = &graph; one != value.graph; one = one->outer) {
      reader = one->owner;
      value.is_held = value.is_held || one->is_of_unknown();
    }
    if (captured_by_[value.place] == reader) return {};
    BROADLOOM_CHECK(require_memory());
    captured_by_[value.place] = reader;
    reader->captures.add(model_.arena).value = &value;
    return {};
  }

  Status read(Graph& graph) {
    for (Node& node : graph.nodes) {
      for (Value* input : node.inputs) {
        if (input != nullptr) BROADLOOM_CHECK(capture(graph, *input, node));
      }
    }
    for (const GraphOutput& output : graph.outputs) {
      if (output.value->graph == &graph) {
        output.value->is_output = true;
      } else {
        BROADLOOM_CHECK(capture(graph, *output.value, *graph.owner));
      }
    }
    return {};
  }

  Model& model_;
  std::vector<Graph*> graphs_;
  std::vector<const Node*> captured_by_;  // by places: the last node that captures the value
};

}  // namespace

Status relink(Model& model) { return Linker(model).run(); }

}  // namespace broadloom
