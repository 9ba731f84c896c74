// Makes a model's graphs smaller without changing what they compute: one round of it.
#pragma once

#include <string_view>
#include <vector>

#include "graph/name_index.h"
#include "graph/rewriter.h"

namespace broadloom {

// One round over a model that was read to be written again. Afterwards, the order of each graph lists the nodes that are left;
// what of its values is needed says so. Results of the model are the same, bit by bit, unless inexact fusions are asked for.
// Nodes of domains that are not known are left as they are.
class Simplifier : public Rewriter {
 public:
  using Rewriter::Rewriter;
  Status run();

 private:
  // What a graph has so far: the nodes that are left, and what they compute by what describes it.
  struct Seen {
    std::vector<Node*> first;  // before all others, over constants
    std::vector<Node*> kept;
    NameIndex index;
    std::vector<Node*> nodes;    // by the numbers of the index; nullptr for what is a constant's
    std::vector<Value*> values;  // the first output, or the constant
    std::vector<char> key;

    void add(const void* bytes, std::size_t size);
    // A text has no zeros; lists tell their length.
    void add(std::string_view text);
    void add(std::span<const std::int64_t> numbers);
    void add(std::int64_t number) { add(&number, sizeof number); }
    // The number under which the key stands; one that was not there yet is that of the next node.
    std::size_t number(Arena& arena);
  };

  // Conditions of which one value makes every run fail: they have the other one.
  Status decide_conditions();
  // On the way down, nodes are replaced and changed; what can be computed is.
  Status rewrite(Graph& graph);
  Status rewrite(Graph& graph, Node& node, Seen& seen);
  Status inline_branch(Graph& graph, Node& node, Seen& seen);
  Result<bool> unroll(Graph& graph, Node& node, Seen& seen);
  bool find_repeated(Node& node, Seen& seen);
  static bool add_attributes(const Node& node, Seen& seen);
  void find_repeated_constants(Graph& graph, Seen& seen);
  // The value that the node's output is known to be, and the pass that knows it; no value where none does.
  struct Same {
    Value* value = nullptr;
    Pass pass = Pass::eliminate_identity;
  };
  Same unchanged(const Node& node);
  // Whether the node gives what it gets, and its readers could be told so.
  bool is_passed_by(const Node& node);
  Status evaluate(Node& node);
  bool can_run(const Node& node, std::size_t depth, std::span<Tensor> frame) const;
  Status run_loop(const Graph& graph, const Node& node);
  void want_elements(const Node& node);

  // What of a node can be said more simply (simplify_nodes.cpp).
  Status change(Graph& graph, Node& node);
  Status merge_transposes(Node& node);
  Status merge_reshapes(Graph& graph, Node& node);
  Status merge_axes(Graph& graph, Node& node, Node& inner);
  Status merge_casts(Node& node);
  Status merge_slices(Graph& graph, Node& node);
  Status merge_concats(Node& node);
  bool merge_reduction(Node& node);
  void drop_zero_states(Node& node);
  Status set_target(Graph& graph, Node& node);
  Status set_ends(Graph& graph, Node& node);
  // Where results lose or gain bits (simplify_fusions.cpp).
  Status fuse(Graph& graph, Node& node, Seen& seen);
  Result<bool> fuse_product(Graph& graph, Node& node);
  void fuse_transposes(Node& node);
  Status fuse_logarithm(Node& node);
  Status fuse_pads(Node& node);
  Status fuse_factor(Graph& graph, Node& node, Seen& seen);
  Value* computed(Graph& graph, Seen& seen, const Operator& op, Value* a, Value* b, const Node& at);
  Value* by_channel(Graph& graph, Seen& seen, Value* value, std::size_t rank, std::int64_t channels, const Node& at);
  Value* shaped(Graph& graph, Seen& seen, const Operator& op, Value* value, const Dims& dims, const Node& at);
  bool have_elements(std::span<Value* const> values);

  // On the way up, what nobody needs is dropped, and what was computed becomes an initializer, if it is small enough.
  Status sweep(Graph& graph);
  Result<bool> materialise(Node& node);
  void need(Value* value) {
    if (value != nullptr) value->is_needed = true;
  }

  Arena keys_;  // of what nodes are found by, in this round
  bool is_unrolling_ = false;
};

// Whether all elements are the number 0, which is not -0, or the number 1. False without a tensor, and without elements.
bool are_all(const Tensor* tensor, bool is_one);

}  // namespace broadloom
