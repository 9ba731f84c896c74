#include "graph/structure/order.h"

#include <vector>

#include "core/memory.h"
#include "core/text.h"
#include "graph/structure/uses.h"

namespace broadloom {
namespace {

// Iterates over the producers of the values that a node reads.
class Reads {
 public:
  Reads() = default;
  explicit Reads(const Node& node) : node_(&node), capture_(node.captures.begin()) {}

  // The producer of the next value of the same graph; nullptr at the end.
  Node* next(const Graph& graph) {
    while (input_ < node_->inputs.size()) {
      const Value* value = node_->inputs[input_++];
      if (value != nullptr && value->graph == &graph && value->producer != nullptr) return value->producer;
    }
    while (!(capture_ == node_->captures.end())) {
      const Value* value = (*capture_).value;
      ++capture_;
      if (value->producer != nullptr) return value->producer;
    }
    return nullptr;
  }

 private:
  const Node* node_ = nullptr;
  std::size_t input_ = 0;
  Chain<Capture>::Iterator capture_{nullptr};
};

constexpr std::size_t not_placed = SIZE_MAX;
constexpr std::size_t on_the_way = SIZE_MAX - 1;

class Sorter {
 public:
  explicit Sorter(Graph& graph) : graph_(graph) {}

  // Places the node after all producers of its inputs, without recursion.
  Status place(Node& first) {
    if (first.position != not_placed) return {};
    BROADLOOM_CHECK(enter(first));
    while (!path_.empty()) {
      Step& step = path_.back();
      Node* read = step.reads.next(graph_);
      if (read == nullptr) {
        step.node->position = placed_;
        graph_.order[placed_++] = step.node;
        path_.pop_back();
      } else if (read->position == on_the_way) {
        return cycle(*read);
      } else if (read->position == not_placed) {
        BROADLOOM_CHECK(enter(*read));
      }
    }
    return {};
  }

 private:
  struct Step {
    Node* node;
    Reads reads;
  };

  Status enter(Node& node) {
    if (path_.size() == path_.capacity()) BROADLOOM_CHECK(require_memory(2 * path_.size() + 16, sizeof(Step)));
    node.position = on_the_way;
    path_.push_back({&node, Reads(node)});
    return {};
  }

  [[gnu::cold]] Status cycle(const Node& node) const {
    const Error error = make_error(Code::InvalidModel, "reads what follows from its own outputs: the nodes are in a cycle");
    error->op.append("{}", clipped(node.op_type));
    error->opset = node.opset;
    return in_node(error, node);
  }

  Graph& graph_;
  std::vector<Step> path_;
  std::size_t placed_ = 0;
};

bool is_sorted(const Graph& graph) {
  std::size_t position = 0;
  for (Node& node : graph.nodes) {
    Reads reads(node);
    while (const Node* read = reads.next(graph)) {
      if (read->position == not_placed) return false;
    }
    node.position = position++;
  }
  return true;
}

}  // namespace

Status set_order(Model& model, Graph& graph) {
  BROADLOOM_CHECK(require_memory(graph.nodes.size(), sizeof(void*)));
  graph.order = model.arena.make_list<Node*>(graph.nodes.size());
  for (Node& node : graph.nodes) node.position = not_placed;
  if (is_sorted(graph)) {
    std::size_t i = 0;
    for (Node& node : graph.nodes) graph.order[i++] = &node;
  } else {
    for (Node& node : graph.nodes) node.position = not_placed;
    Sorter sorter(graph);
    for (Node& node : graph.nodes) BROADLOOM_CHECK(sorter.place(node));
    Text place;
    append_place(place, graph, **graph.order.begin());
    model.warn("{}: nodes are not in topological order", place.view().substr(0, place.view().rfind('.')));
  }
  for (Node* node : graph.order) {
    for (Value* value : node->outputs) {
      if (value != nullptr) value->last_use = node;
    }
    for (Value* value : node->inputs) {
      if (value != nullptr && value->graph == &graph) value->last_use = node;
    }
    for (const Capture& capture : node->captures) capture.value->last_use = node;
  }
  count_uses(graph);
  return {};
}

}  // namespace broadloom
