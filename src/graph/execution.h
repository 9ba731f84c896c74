// One run of a model's graphs.
#pragma once

#include <span>

#include "graph/control_flow.h"
#include "graph/fusion.h"
#include "graph/profile.h"

namespace broadloom {

struct Iterations;
class Plans;

// Steps that a call takes, roughly: elements that are read and written, or products. Its outputs have their dims.
double work_of(const Operator& op, const Call& call);

// The error of a node in a run.
[[gnu::cold]] Failure at_node(const Error& error, const Node& node);

// Runs the nodes of graphs in their order, on a frame that has a tensor for each value of the model.
class Execution : private FusionTensors {
 public:
  // With `work_left`, a run fails that takes more steps than these, or bytes: what it used is subtracted.
  explicit Execution(std::span<Tensor> frame, double* work_left = nullptr) : frame_(frame), work_left_(work_left) {}

  // From now on every node is computed by itself.
  void run_node_by_node() { fuses_ = false; }
  // Whether fused nodes are computed together, as they are if nobody says otherwise.
  void fuse(bool fuses) { fuses_ = fuses; }
  // From now on the profile gets what each node takes.
  void write_to(Profile* profile) { profile_ = profile; }
  Profile* profile() const { return profile_; }
  // From now on graphs within nodes have plans. `plans` are those of the model's graph.
  void plan_with(Plans* plans) { plans_ = plans; }

  // Runs all nodes of a graph whose inputs stand in the frame. What nobody reads any more is freed; outputs, inputs and
  // initializers stay.
  Status run(const Graph& graph) { return run(graph, 0, graph.order.size()); }
  // The same for the nodes from number `first` of its order on, and before `end`.
  Status run(const Graph& graph, std::size_t first, std::size_t end);
  // Runs one node, and nothing is freed but what its own graphs made.
  Status run(const Node& node);

  // Makes sure that the value has its elements: those of a sparse initializer are written now. Fails for external ones that
  // were not given.
  Status give_elements(const Value& value) override;

 private:
  Status spend(double work);
  Status run_profiled(const Node& node);
  Status call(const Node& node);
  static bool is_fused_into_reader(const Value& value) {
    return value.producer != nullptr && value.producer->fused_into != nullptr;
  }
  // Computes the elements of an elementwise node's output, of which `output` has the dims, with those of nodes that join it.
  Status compute_with_joined(const Node& node, Tensor& output);
  Status compute_fused(const Node& node) override { return compute_with_joined(node, at(node.outputs[0])); }
  // After the root of joined nodes has run.
  void release_joined(const Node& node, const Node& root);
  // Runs a graph that a node has.
  Status run_within(const Graph& graph);
  Status run_if(const Node& node);
  Status run_loop(const Node& node);
  Status run_scan(const Node& node);
  Status run_batched_scan(const Node& node);
  Status read_states(const Node& node, const BodyParts& parts, std::span<Tensor> states);
  Status iterate(const Graph& body, const BodyParts& parts, Iterations& iterations);
  template <class Slice>
  void set_scan_inputs(const Graph& body, const BodyParts& parts, Slice slice) {
    std::size_t i = 0;
    for (const GraphInput& input : body.inputs) {
      const std::size_t number = i++;
      if (number >= parts.states) at(input.value) = slice(number - parts.states);
    }
  }
  // Frees what the body has in the frame, and sets the node's outputs that are states.
  void finish_loop(const Node& node, std::span<Tensor> states);
  void release(const Node& node);
  // After what holds the graph has taken them.
  void free_outputs(const Graph& graph);

  Tensor& at(const Value& value) override { return frame_[value.place]; }
  Tensor& at(const Value* value) { return frame_[value->place]; }
  // The one element of an input, which is missing where the input is left out.
  Result<bool> read_condition(const Value* value, std::string_view name);

  std::span<Tensor> frame_;
  double* work_left_;
  bool fuses_ = true;
  Profile* profile_ = nullptr;
  Plans* plans_ = nullptr;
};

}  // namespace broadloom
