// One run of a model's graphs.
#pragma once

#include <span>
#include <vector>

#include "graph/execute/profile.h"
#include "graph/fusion/fusion.h"
#include "graph/structure/control_flow.h"

namespace broadloom {

struct BatchedInputs;
struct Iterations;
class Execution;
class Model;

// Runs graphs within the model's in another way than node by node.
class GraphRunner {
 public:
  // The frame has the graph's inputs and captured values, and then its outputs. False when nothing was done.
  virtual Result<bool> run_within(const Graph& graph, std::span<Tensor> frame, Execution& execution) = 0;

 protected:
  ~GraphRunner() = default;
};

// The approximate work of a call: elements that are read and written, or products. Its outputs must have their dims.
double work_of(const Operator& op, const Call& call);

// The error of a node in a run.
[[gnu::cold]] Failure at_node(const Error& error, const Node& node);

// A tensor for each value of the model; the tensors of initializers are set. The bytes of some may have been let go:
// nodes that run by themselves ask for them.
Result<std::vector<Tensor>> make_frame(const Model& model);

// Runs the nodes of graphs in order, on a frame with a tensor for each value of the model.
class Execution : private FusionTensors {
 public:
  // With `work_left`, a run fails if it takes more steps or bytes than that. The used amount is subtracted.
  explicit Execution(std::span<Tensor> frame, double* work_left = nullptr) : frame_(frame), work_left_(work_left) {}

  // Sets whether fused nodes are computed together. The default is true.
  void fuse(bool fuses) { fuses_ = fuses; }
  // Writes the time of each node to the profile from now on.
  void write_to(Profile* profile) { profile_ = profile; }
  Profile* profile() const { return profile_; }
  // Subgraphs are left to the runner from now on, where it takes them.
  void leave_graphs_to(GraphRunner* runner) { runner_ = runner; }

  // Runs all nodes of a graph whose inputs are in the frame. Frees values after their last use, except outputs, inputs and
  // initializers.
  Status run(const Graph& graph) { return run(graph, 0, graph.order.size()); }
  // Runs the nodes from position `first` to before `end` of its order.
  Status run(const Graph& graph, std::size_t first, std::size_t end);
  // Runs one node. Frees only values of its own graphs.
  Status run(const Node& node);

  // The outputs of the model's graph, after a run on the frame.
  Result<std::vector<Tensor>> take_results(const Graph& graph);

  // Ensures that the value has its elements: writes those of a sparse initializer. Fails for external ones that
  // were not given.
  Status give_elements(const Value& value) override;

 private:
  Status spend(double work);
  Status run_profiled(const Node& node);
  Status call(const Node& node);
  // Copies an output that is a small view of an input, where the input is read no longer (outlives).
  void release_excess_of_view(const Node& node, const Value& output);
  // Computes an elementwise node's output together with the nodes fused into it. `output` has the output's dims.
  Status compute_with_fused(const Node& node, Tensor& output);
  Status compute_fused(const Node& node) override { return compute_with_fused(node, at(node.outputs[0])); }
  // Frees values after the root of fused nodes has run.
  void release_fused(const Node& node, const Node& root);
  // Runs a subgraph of a node.
  Status run_within(const Graph& graph);
  Status run_if(const Node& node);
  Status run_loop(const Node& node);
  Status run_scan(const Node& node);
  Status run_batched_scan(const Node& node);
  Result<BatchedInputs> read_batched(const Node& node, const BodyParts& parts);
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
  // Frees the body's values in the frame, and sets the node's outputs that are states.
  void finish_loop(const Node& node, std::span<Tensor> states);
  void release(const Node& node);
  // Frees the graph's outputs, after its node has taken them.
  void free_outputs(const Graph& graph);

  Tensor& at(const Value& value) override { return frame_[value.place]; }
  Tensor& at(const Value* value) { return frame_[value->place]; }
  // The only element of an input. Fails for another number of elements.
  Result<bool> read_condition(const Value* value, std::string_view name);

  std::span<Tensor> frame_;
  double* work_left_;
  bool fuses_ = true;
  Profile* profile_ = nullptr;
  GraphRunner* runner_ = nullptr;
};

}  // namespace broadloom
