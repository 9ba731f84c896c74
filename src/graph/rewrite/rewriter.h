// The one way in which passes change a graph.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/count.h"
#include "graph/infer/shape_inference.h"
#include "graph/rewrite/simplify_options.h"
#include "graph/rewrite/value_numbers.h"
#include "graph/structure/uses.h"

namespace broadloom {

// The graph that passes work on, as far as they got: they go through its nodes in the order in which these run.
struct PassScope {
  Graph& graph;
  bool is_unrolling = false;      // a Loop, in this graph or around it
  std::vector<Node*> first = {};  // before all others, over constants
  std::vector<Node*> kept = {};
  std::vector<std::span<Node* const>> coming = {};  // nodes that the passes have not looked at yet; the last list is the next
  std::vector<Value*> held = {};                    // values that nodes which do not exist yet will read
  ValueNumbers numbers = {};
};

// A model while passes work on it, in one round: what is known of its values, and the changes that keep its records in step.
// A value that another one replaces stays in the lists of nodes that have not been looked at yet: resolved() leads to the
// other.
class Rewriter {
 public:
  // All must outlive it. `inference` has run, and needed proofs.
  Rewriter(Model& model, ShapeInference& inference, const SimplifyOptions& options, SimplifyProgress& progress)
      : model_(model), inference_(inference), options_(options), progress_(progress), known_(model.frame_size) {}

  Model& model() { return model_; }
  const Model& model() const { return model_; }
  const ShapeInference& inference() const { return inference_; }
  const SimplifyOptions& options() const { return options_; }
  SimplifyProgress& progress() { return progress_; }

  // ---- Where the passes are ----

  PassScope& scope() { return *scope_; }
  Graph& graph() { return scope_->graph; }
  // Goes to another graph. Returns the one before.
  PassScope* enter(PassScope* scope) { return std::exchange(scope_, scope); }
  // The node stays, behind those that stay so far.
  Status keep(Node& node);
  // The memory of keys by which values are found.
  Arena& keys() { return keys_; }

  // ---- Which passes are on, and what they did ----

  bool is_skipped(Pass pass) const {
    const PassInfo& its = info(pass);
    const bool is_used = its.use == PassUse::always || (its.use == PassUse::runs) == options_.is_for_runs;
    return !is_used || its.keeps < options_.keeps || options_.skipped.test(place_of(pass));
  }
  // Whether a pass may change something.
  bool is_on(Pass pass) const { return !is_skipped(pass) && progress_.steps < options_.most_steps; }
  // Whether a node may go that could fail, as soon as what it makes is known or not read.
  bool drops_failures() const { return options_.keeps != Keeps::all; }
  // Begins with a pass, if it is on.
  bool begin(Pass pass) {
    pass_ = pass;
    return is_on(pass);
  }
  // Counts a step of the pass that was begun, or of another one.
  void changed() { changed(pass_); }
  void changed(Pass pass) {
    progress_.count(pass);
    ++progress_.steps;
    has_changed_ = true;
  }
  // Says that records went that were there before the round.
  void dropped() { has_changed_ = true; }
  // Whether another round may find more.
  bool has_changed() const { return has_changed_; }

  // ---- Facts ----

  // Whether the model had the value when the round began.
  bool is_old(const Value& value) const { return value.place < known_; }
  const Tensor& facts(const Value& value) const;
  // Infers the facts of what a new node makes.
  Status infer(const Node& node) { return inference_.add(node); }
  // The elements of a value that is the same in every run, or nullptr.
  const Tensor* constant(const Value* value) const;
  bool are_constants(const Node& node) const;
  bool reads_constants(const Node& node) const;
  void set_constant(Value& value, Tensor tensor);
  // The constants of all values, by their places.
  std::span<const Tensor> constants() const { return constants_; }
  bool have_same_dims(const Value& a, const Value& b) const;
  bool have_same_size(const Value& a, const Value& b, std::size_t axis) const;
  // The integers of an input or attribute of this name, where they are the same in every run.
  std::optional<Dims> integers(const Node& node, std::string_view name) const;

  bool has_one_reader(const Value& value) const { return value.uses == 1 && value.captures == 0 && !value.is_read_outside(); }
  bool is_read(const Value& value) const { return value.uses > 0 || value.captures > 0 || value.is_read_outside(); }
  // The node whose first output the value is; nullptr for a constant. The second asks for an operator, too.
  Node* made_by(const Value* value) const;
  Node* made_by(const Value* value, const Operator& op) const;
  // The node that makes the value, if it makes it for one reader alone.
  Node* made_for(const Value* value, const Operator& op) const {
    return value != nullptr && has_one_reader(*value) ? made_by(value, op) : nullptr;
  }

  // ---- One value for another ----

  // The value that stands for this one now.
  Value& resolved(Value& value) const;
  bool is_replaced(const Value& value) const { return replaced_[value.place] != nullptr; }
  bool can_replace(const Value& from, const Value& to) const;
  // Lets all who read `from` read `to`. False when that cannot be, since `from` is an output.
  bool replace(Value& from, Value& to);
  // The node gives what the value is: a step, if its readers can read that.
  void pass_by(const Node& node, Value& same) {
    if (replace(*node.outputs[0], same)) changed();
  }
  // Whether other values stand for what the node makes.
  bool is_passed_by(const Node& node) const {
    return !node.outputs.empty() && node.outputs[0] != nullptr && is_replaced(*node.outputs[0]);
  }

  // ---- Edges: the only ways in which passes change what a node reads ----

  // Lets the node read other values; nullptr for an input that is omitted.
  void set_inputs(Node& node, std::span<Value* const> inputs);
  // Lets the node read another value at one input; nullptr: the input is omitted from now on.
  void replace_input(Node& node, std::size_t input, Value* value);
  // Lets the node read another value: a step.
  void read(Node& node, std::size_t input, Value& value) {
    replace_input(node, input, &value);
    changed();
  }
  // Lets the node read what stands for its inputs now.
  void resolve_inputs(Node& node);
  // The node may go if nobody reads it, although it could fail: another one fails where it does.
  void may_go_unread(const Node& node) { goes_unread_[node.outputs[0]->place] = true; }
  // Lets a node with one output go like this. Where nobody reads it, it reads nothing from now on: so a value that it read may
  // have one reader left.
  void let_go(Node& node) {
    may_go_unread(node);
    if (!is_read(*node.outputs[0])) set_inputs(node, {});
  }
  bool goes_unread(const Node& node) const {
    return !node.outputs.empty() && node.outputs[0] != nullptr && goes_unread_[node.outputs[0]->place];
  }
  // Takes a node away, with its graphs: it reads nothing from now on.
  void remove(Node& node);
  // Counts the reads of a node that came into the graph from another one, with its graphs.
  void add(const Node& node) { change_uses(node, graph(), add_use); }
  // Counts a reader of a value that will exist only later, until the hold is released.
  void hold(Value& value);
  // Releases all holds of the scope but so many.
  void release_holds(std::size_t count);

  // ---- Nodes and values ----

  // Turns a node into one of another operator, with these inputs and no attributes. False where the opset has none.
  bool become(Node& node, const Operator& op, std::span<Value* const> inputs);

  // The position of a node that was not there when the round began.
  static constexpr std::size_t new_position = SIZE_MAX;
  Node& new_node(const Operator& op, std::span<Value* const> inputs, Value& output, std::int64_t opset);
  Value& new_value(std::string_view name, Dtype dtype);
  // Makes room for the facts of values that were added to the frame.
  void add_new_values();
  // A value with these elements, which is made before all nodes.
  Value& new_constant(std::string_view name, Tensor tensor);
  Result<Value*> new_integers(std::string_view name, const Dims& values);
  // The value is an initializer of its graph from now on, which no node makes.
  void make_initializer(Value& value, Tensor tensor);
  // The initializers of a graph are known, before its nodes are looked at.
  void add_constants(const Graph& graph);
  // The initializers of a graph within a node become those of the graph around it.
  void take_initializers(Graph& inner);

  // ---- Elements that were left in a file ----

  // Whether the elements of an initializer were left in a file that can be read.
  bool can_load(const Value& value) const;
  // Whether it has its elements in a file, where they may have been loaded from.
  bool is_left(const Value& value) const;
  // Whether so many bytes may be asked for beside those that were. The first are always.
  bool may_want(std::int64_t bytes) const { return wanted_bytes_ == 0 || wanted_bytes_ + bytes <= most_wanted; }
  // Asks for the elements, for the next round.
  void want(const Value& value);
  // The value will be computed in the next round, from elements that were asked for.
  void await(const Value& value) { is_awaited_[value.place] = true; }
  bool is_awaited(const Value& value) const { return is_awaited_[value.place]; }

#ifdef NDEBUG
  void check(const Node* /*node*/) {}
#else
  // Ends the program if a step since the last check left the graph inconsistent (rewriter_checks.cpp). `node` is behind those
  // that are kept; nullptr for none.
  void check(const Node* node);
#endif

 private:
  // Calls `change` for each use of a value by the graph's node and by the graphs within it.
  void change_uses(const Node& node, const Graph& graph, void (*change)(Value& value, const Graph& reader)) const;
  // Whether `to` would need the sizes that the file declares of `from`: nothing else tells them.
  bool lends_sizes(const Value& from, const Value& to) const;

  Model& model_;
  ShapeInference& inference_;
  const SimplifyOptions& options_;
  SimplifyProgress& progress_;
  std::size_t known_;              // values that were inferred; later ones are new
  std::vector<Value*> replaced_;   // by place
  std::vector<Tensor> constants_;  // by place
  std::vector<bool> is_awaited_;   // by place
  std::vector<bool> goes_unread_;  // by place of a node's first output
  std::int64_t wanted_bytes_ = 0;
  PassScope* scope_ = nullptr;
  Arena keys_;
  Pass pass_ = Pass::how_many;
  bool has_changed_ = false;
#ifndef NDEBUG
  class Recount;
  std::int64_t checked_steps_ = 0;
#endif
};

// Gives a node an attribute of this name that its version has.
AttributeValue& set_attribute(Node& node, std::string_view name, Tensor tensor = {});

// Bytes that a TensorProto of the tensor takes.
std::int64_t file_bytes(const Tensor& tensor);

}  // namespace broadloom
