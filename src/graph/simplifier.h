// Makes a model's graphs smaller without changing what they compute: one round of it.
#pragma once

#include <array>
#include <bitset>
#include <string_view>
#include <vector>

#include "graph/name_index.h"
#include "graph/passes/passes.h"
#include "graph/shape_inference.h"

namespace broadloom {

struct SimplifyOptions {
  std::int64_t most_iterations = 0;  // of a Loop that is to be unrolled
  Keeps keeps = Keeps::bits;         // what a pass has to keep
  bool gets_external = false;        // what is in files beside the model can be asked for
  bool grows = false;  // whether results are written that make the file larger, though nothing more is computed of them
  std::bitset<pass_count> skipped;
  // After so many changes the rest stays as it is: the least number whose result is wrong tells the change that is.
  std::int64_t most_steps = INT64_MAX;
};

// Elements that were left in a file.
struct WantedElements {
  const ExternalData* external = nullptr;
  std::int64_t bytes = 0;
};

// What goes on from round to round.
struct SimplifyProgress {
  std::array<std::int64_t, pass_count> counts{};
  // Changes so far, but those that only drop what nobody reads.
  std::int64_t steps = 0;
  // Bytes by which what is added may still make the file grow.
  std::int64_t growth_left = 0;
  // The same where nobody asked for it: of results of which nothing more is computed, beyond what they were computed of.
  std::int64_t unasked_left = 4064;
  // Elements that may still be read and written for constants.
  double work_left = 0;
  // The same for Loops and Scans, which may be hopeless: they leave the others theirs.
  double loop_work_left = 1 << 25;
  // What was left in files, and is wanted for a computation of the next round: at most most_wanted bytes, or one node's.
  std::vector<WantedElements> wanted;
  // Nodes that would be computed, were the limits higher.
  std::int64_t too_large = 0;

  void count(Pass pass, std::int64_t times = 1) { counts[static_cast<std::size_t>(pass)] += times; }
};

inline constexpr std::int64_t most_wanted = std::int64_t{32} << 20;

// One round over a model that was read to be written again. Afterwards, the order of each graph lists the nodes that are left;
// what of its values is needed says so. Results of the model are the same, bit by bit, unless inexact fusions are asked for.
// Nodes of domains that are not known are left as they are.
class Simplifier {
 public:
  // All must outlive it. `inference` has run, and needed proofs.
  Simplifier(Model& model, const ShapeInference& inference, const SimplifyOptions& options, SimplifyProgress& progress)
      : model_(model), inference_(inference), options_(options), progress_(progress) {}

  Status run();
  // Whether another round may find more.
  bool has_changed() const { return has_changed_; }

 private:
  // Of nodes that were not there when the round began.
  static constexpr std::size_t new_position = SIZE_MAX;
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
  // Whether the elements of an initializer were left in a file that can be read.
  bool can_load(const Value& value) const;
  // Whether it has its elements in a file, where they may have been loaded from.
  bool is_left(const Value& value) const;
  void want(const Value& value);

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

  Value& resolved(Value& value) const;
  // Whether `to` would need the sizes that the file declares of `from`: nothing else tells them.
  bool lends_sizes(const Value& from, const Value& to) const;
  bool can_replace(const Value& from, const Value& to) const;
  // Lets all who read `from` read `to`. False when that cannot be, since `from` is an output.
  bool replace(Value& from, Value& to);
  bool has_one_reader(const Value& value) const { return value.reads == 1 && value.captured_by == nullptr && !value.is_output; }
  bool is_read(const Value& value) const { return value.reads > 0 || value.captured_by != nullptr || value.is_output; }
  // Lets the node read another value.
  void read(Node& node, std::size_t input, Value& value, Pass pass) {
    node.inputs[input] = &resolved(value);
    ++node.inputs[input]->reads;
    changed(pass);
  }
  // The node whose first output the value is, if that is no constant; or if it is besides of this operator.
  Node* made_by(const Value* value) const;
  Node* made_by(const Value* value, const Operator& op) const;
  // The same, if the node is the only one that reads the value.
  Node* made_for(const Value* value, const Operator& op) const {
    return value != nullptr && has_one_reader(*value) ? made_by(value, op) : nullptr;
  }

  const Tensor& facts(const Value& value) const;
  // The elements of a value that is the same in every run, or nullptr.
  const Tensor* constant(const Value* value) const;
  bool are_constants(const Node& node) const;
  bool reads_constants(const Node& node) const;
  void set_constant(Value& value, Tensor tensor);
  bool have_same_dims(const Value& a, const Value& b) const;
  bool have_same_size(const Value& a, const Value& b, std::size_t axis) const;
  std::optional<Dims> integers(const Node& node, std::string_view name) const;

  Value& new_value(Graph& graph, std::string_view name, Dtype dtype);
  // After values were added to the frame.
  void add_new_values();
  // A value with these elements, which is made before all nodes.
  Value& new_constant(Graph& graph, std::string_view name, Tensor tensor);
  Result<Value*> new_integers(Graph& graph, std::string_view name, const Dims& values);
  Node& new_node(Graph& graph, const Operator& op, std::span<Value* const> inputs, Value& output, std::int64_t opset);
  // Turns a node into one of another operator, with these inputs and no attributes. False where the opset has none.
  bool become(Node& node, const Operator& op, std::span<Value* const> inputs);
  // Gives a node an attribute of this name that its version has.
  static AttributeValue& set_attribute(Node& node, std::string_view name, Tensor tensor = {});
  // The value is an initializer of its graph from now on, which no node makes.
  void make_initializer(Value& value, Tensor tensor);
  // The initializers of a graph are known, before its nodes are looked at.
  void add_constants(const Graph& graph);
  // What a graph within a node has for initializers is the graph's around it.
  static void take_initializers(Graph& graph, Graph& inner);
  void changed(Pass pass) {
    progress_.count(pass);
    ++progress_.steps;
    has_changed_ = true;
  }
  bool is_skipped(Pass pass) const {
    return options_.skipped.test(static_cast<std::size_t>(pass)) || info(pass).keeps < options_.keeps;
  }
  // Whether a node may go that could fail, as soon as what it makes is known or not read.
  bool drops_failures() const { return options_.keeps != Keeps::all; }
  // Whether a pass may change something.
  bool is_on(Pass pass) const { return !is_skipped(pass) && progress_.steps < options_.most_steps; }

  Model& model_;
  const ShapeInference& inference_;
  const SimplifyOptions& options_;
  SimplifyProgress& progress_;
  std::size_t known_ = 0;          // values that were inferred; later ones are new
  std::vector<Value*> replaced_;   // by place
  std::vector<Tensor> constants_;  // by place
  Arena keys_;                     // of what nodes are found by, in this round
  std::int64_t wanted_bytes_ = 0;
  bool is_unrolling_ = false;
  bool has_changed_ = false;
};

// Whether all elements are the number 0, which is not -0, or the number 1. False without a tensor, and without elements.
bool are_all(const Tensor* tensor, bool is_one);
// Bytes that a TensorProto of the tensor takes.
std::int64_t bytes_of(const Tensor& tensor);

}  // namespace broadloom
